import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineDirectory } from '../engines/machine.js'
import { startPostgres } from '../engines/postgres.js'
import { redisSection, startRedis } from '../engines/redis.js'
import type { Experiment } from './experiment.js'
import { type HubProcess, MAIN } from './hubs.js'
import { olderProgram } from './older.js'
import { CALM_MS } from './onEngine.js'
import { type Run, runFaults } from './run.js'

/** Hubs are restarted one after the other with another program, and those that leave since they are superseded with them. */
async function changed({ hubs, goOn, recovered }: Run): Promise<void> {
  for (const hub of hubs) {
    await hub.stop()
    await hub.start()
    await goOn(CALM_MS)
  }
  await recovered()
}

export const upgradeExperiments: readonly Experiment[] = [
  {
    name: 'upgrade',
    dependency: 'The release of the hub',
    fault: 'three hubs upgraded one by one from the release before, and brought back to it',
    async run(seed) {
      const older = await olderProgram()
      const [engine, redis, directory] = [await startPostgres(), await startRedis(), await engineDirectory('programs')]
      const script = join(directory, 'hub')
      const use = (main: string) => writeFile(script, `exec ${process.execPath} ${main} "$@"\n`)
      await use(older.main)
      const options = {
        db: () => engine.db(engine.place),
        redis: redisSection(redis.place),
        program: () => ['/bin/sh', script] as const
      }
      const outcome = await runFaults(options, { seed }, async (run) => {
        const { hubs, fault, goOn, requireDone } = run
        await goOn(CALM_MS)
        await fault('upgrade', () => use(MAIN))
        await changed(run)
        await fault('back to the release before', () => use(older.main))
        const [first]: readonly (HubProcess | undefined)[] = hubs
        await requireDone(first?.home, 'projections', 'rebuild')
        await changed(run)
        await use(MAIN)
        await fault('upgrade again', () => changed(run))
      })
      return { engine: `${engine.name}, release ${older.name}`, outcome }
    }
  }
]
