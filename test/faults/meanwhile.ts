import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Missing } from '../engines/engine.js'
import { engineDirectory } from '../engines/machine.js'
import { startPostgres } from '../engines/postgres.js'
import { redisSection, startRedis } from '../engines/redis.js'
import type { Experiment } from './experiment.js'
import { MAIN } from './hubs.js'
import { CALM_MS } from './onEngine.js'
import { runFaults } from './run.js'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
/** Under the minutes by which a clock may not differ from the database's. */
const STEPS_S = [20, -15, 0] as const

export const meanwhileExperiments: readonly Experiment[] = [
  {
    name: 'operations',
    dependency: 'Operators',
    fault: 'reloads, a rebuild of the read tables, a backup, and a verification under load',
    async run(seed) {
      const [engine, redis, directory] = [await startPostgres(), await startRedis(), await engineDirectory('backup')]
      const options = { db: () => engine.db(engine.place), redis: redisSection(redis.place) }
      const outcome = await runFaults(options, { seed }, async ({ hubs, fault, goOn, recovered, requireDone }) => {
        const home = hubs[0]?.home
        await goOn(CALM_MS)
        await fault('every hub reads its configuration again', () => {
          for (const hub of hubs) hub.signal('SIGHUP')
        })
        await recovered()
        await fault('rebuild', () => requireDone(home, 'projections', 'rebuild'))
        await fault('backup', () => requireDone(home, 'backup', 'create', join(directory, 'hub.backup')))
        await fault('verification', () => requireDone(home, 'projections', 'verify'))
        await recovered()
      })
      return { engine: engine.name, outcome }
    }
  },
  {
    name: 'clock',
    dependency: 'The clock of a hub',
    fault: 'the clock of one hub steps forward and back by seconds',
    async run(seed) {
      await access(LIBRARY).catch(() => {
        throw new Missing('no libfaketime')
      })
      const [engine, redis, directory] = [await startPostgres(), await startRedis(), await engineDirectory('clock')]
      const file = join(directory, 'offset')
      const step = (seconds: number) => writeFile(file, `${seconds >= 0 ? '+' : ''}${seconds}`)
      await step(0)
      const variables = [
        ...[`LD_PRELOAD=${LIBRARY}`, `FAKETIME_TIMESTAMP_FILE=${file}`],
        ...['FAKETIME_NO_CACHE=1', 'FAKETIME_DONT_FAKE_MONOTONIC=1']
      ]
      const options = {
        db: () => engine.db(engine.place),
        redis: redisSection(redis.place),
        program: (index: number) => {
          return index === 0
            ? (['env', ...variables, process.execPath, MAIN] as const)
            : ([process.execPath, MAIN] as const)
        }
      }
      const outcome = await runFaults(options, { seed }, async ({ fault, goOn, recovered }) => {
        await goOn(CALM_MS)
        for (const seconds of STEPS_S) {
          await fault(`the clock of hub1 is ${seconds} s ahead`, () => step(seconds))
          await goOn(CALM_MS)
          await recovered()
        }
      })
      return { engine: engine.name, outcome }
    }
  }
]
