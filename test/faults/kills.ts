import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SingleEngine } from '../engines/engine.js'
import { engineDirectory } from '../engines/machine.js'
import { startMariadb } from '../engines/mariadb.js'
import { startPostgres } from '../engines/postgres.js'
import type { Experiment } from './experiment.js'
import { FIRESTORE_CLIENTS, firestoreAt, startEmulator } from './firestore.js'
import type { HubOptions, HubProcess } from './hubs.js'
import { CALM_MS, onEngine } from './onEngine.js'
import { type Random, randomOf } from './random.js'
import { type Run, runFaults } from './run.js'

/** The longest that a hub serves until it is killed again; often it is killed before it has answered anybody. */
const SERVED_MAX_MS = 400
/** The longest that a hub starts until it is killed as it does; some are ready by then. */
const STARTING_MAX_MS = 1000
/** A hub that was killed is killed again as it starts in all but one of so many cases, and then in all but one again. */
const AS_IT_STARTS = 3
/** The engine is killed once for so many kills of hubs. */
const HUBS_FOR_ENGINE = 20
const STARTS_MAX = 10

/** Kills hubs over and over, as they serve and as they start, until so many kills were made, and now and then the engine under them. */
async function killedOverAndOver(run: Run, seed: number, kills: number, engine?: SingleEngine): Promise<void> {
  const random = randomOf(seed)
  let left = kills
  // One at a time: who is killed while he is started would not be there for the next one.
  let engineFree = Promise.resolve()
  const restarted = (server: SingleEngine) => {
    engineFree = engineFree.then(async () => {
      await run.fault('kill -9 of the engine', server.kill)
      await server.start()
    })
    return engineFree
  }
  const kill = async (hub: HubProcess, own: Random) => {
    while (left > 0) {
      left--
      await sleep(own.below(SERVED_MAX_MS))
      await run.fault(`kill -9 of ${hub.name}`, hub.kill)
      while (left > 0 && own.below(AS_IT_STARTS) > 0) {
        left--
        const after_ms = own.below(STARTING_MAX_MS)
        await run.fault(`kill -9 of ${hub.name} as it starts`, () => again(() => hub.killAsItStarts(after_ms)))
      }
      if (engine && own.below(HUBS_FOR_ENGINE) === 0 && left > 0) {
        left--
        await restarted(engine)
      }
      await again(() => hub.start())
    }
  }
  await Promise.all(run.hubs.map((hub) => kill(hub, randomOf(random.below(2 ** 31)))))
  await run.recovered()
  await run.goOn(CALM_MS)
}

/** A hub that finds a server dead or silent while it starts ends, and is started again, as a service manager does. */
async function again(begin: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await begin()
    } catch (error) {
      if (tries === STARTS_MAX) throw error
    }
  }
}

const onServer = (name: string, dependency: string, start: () => Promise<SingleEngine>): Experiment => ({
  name: `${name}-kills`,
  dependency,
  fault: 'kill -9 over and over, of hubs at any moment and of the server',
  async run(seed, kills) {
    const engine = await start()
    return onEngine(seed, engine, (run) => killedOverAndOver(run, seed, kills, engine))
  }
})

const onItsOwn = (name: string, dependency: string, options: () => Promise<HubOptions>, clients?: number) => ({
  name: `${name}-kills`,
  dependency,
  fault: 'kill -9 over and over, of hubs at any moment',
  async run(seed: number, kills: number) {
    const drive = (run: Run) => killedOverAndOver(run, seed, kills)
    const outcome = await runFaults(await options(), { seed, ...(clients !== undefined && { clients }) }, drive)
    return { engine: dependency, outcome }
  }
})

async function onFile(): Promise<HubOptions> {
  const directory = await engineDirectory('sqlite')
  return { db: () => ({ driver: 'sqlite', path: join(directory, 'hub.sqlite') }), redis: { driver: 'memory' } }
}

async function onFirestore(): Promise<HubOptions> {
  return firestoreAt((await startEmulator()).place)
}

/** So many kills as `--kills` says, each of them. */
export const killExperiments: readonly Experiment[] = [
  onItsOwn('sqlite', 'SQLite', onFile),
  onServer('postgres', 'Postgres', () => startPostgres()),
  onServer('mariadb', 'MariaDB', startMariadb),
  onItsOwn('firestore', 'Firestore (its emulator)', onFirestore, FIRESTORE_CLIENTS)
]
