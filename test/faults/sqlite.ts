import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newHome, type Program } from '../cli/support.js'
import { failSync, smallDisk, withFailingSync } from '../engines/disks.js'
import { engineDirectory } from '../engines/machine.js'
import type { Experiment, Ran } from './experiment.js'
import { MAIN } from './hubs.js'
import { CALM_MS, DOWN_MS } from './onEngine.js'
import { type Run, runFaults } from './run.js'

const NAME = 'SQLite'
const DISK_MB = 48
const ROUNDS = 4

async function onFile(
  seed: number,
  directory: string,
  drive: (run: Run) => Promise<void>,
  program?: Program
): Promise<Ran> {
  const options = {
    db: () => ({ driver: 'sqlite', path: join(directory, 'hub.sqlite') }),
    redis: { driver: 'memory' },
    ...(program && { program: () => program })
  }
  return { engine: NAME, outcome: await runFaults(options, { seed }, drive) }
}

export const sqliteExperiments: readonly Experiment[] = [
  {
    name: 'sqlite-kill',
    dependency: NAME,
    fault: 'kill -9 of hubs, one by one and all at once',
    run: async (seed) =>
      onFile(seed, await engineDirectory('sqlite'), async ({ hubs, fault, goOn, recovered }) => {
        for (let round = 0; round < ROUNDS; round++) {
          await goOn(CALM_MS)
          const killed = round % 2 === 0 ? hubs.slice(0, 1) : hubs
          await fault(`kill -9 of ${killed.length} hubs`, () => Promise.all(killed.map((hub) => hub.kill())))
          await goOn(DOWN_MS)
          await Promise.all(killed.map((hub) => hub.start()))
          await recovered()
        }
      })
  },
  {
    name: 'sqlite-full',
    dependency: NAME,
    fault: 'the disk is full',
    async run(seed) {
      const disk = await smallDisk(DISK_MB)
      return onFile(seed, disk.path, async ({ fault, goOn, recovered, consult }) => {
        for (let round = 0; round < 2; round++) {
          await goOn(CALM_MS)
          await fault('the disk is full', disk.fill)
          await goOn(2 * DOWN_MS)
          if (round === 0) await consult()
          await disk.clear()
          await recovered()
        }
        await goOn(CALM_MS)
      })
    }
  },
  {
    name: 'sqlite-fsync',
    dependency: NAME,
    fault: 'fsync fails',
    async run(seed) {
      const program = await withFailingSync([process.execPath, MAIN])
      const sync = (run: Run, fails: boolean) => Promise.all(run.hubs.map(({ pid }) => failSync(pid, fails)))
      const drive = async (run: Run) => {
        await run.goOn(CALM_MS)
        await run.fault('fsync fails', () => sync(run, true))
        await run.goOn(2 * DOWN_MS)
        await sync(run, false)
        await run.recovered()
        await run.goOn(CALM_MS)
      }
      return onFile(seed, await engineDirectory('sqlite'), drive, program)
    }
  },
  {
    name: 'sqlite-copied',
    dependency: NAME,
    fault: 'its files are copied while they are written to, and a backup is made',
    async run(seed) {
      const [directory, copy] = [await engineDirectory('sqlite'), await engineDirectory('sqlite-copy')]
      return onFile(seed, directory, async ({ hubs, fault, goOn, recovered, requireDone }) => {
        for (let round = 0; round < ROUNDS; round++) {
          await goOn(DOWN_MS)
          await fault('its files are copied', () =>
            Promise.all(
              ['', '-wal'].map((end) => copyFile(join(directory, `hub.sqlite${end}`), join(copy, `hub.sqlite${end}`)))
            )
          )
        }
        await recovered()
        const backup = join(copy, 'hub.backup')
        await fault('a backup is made', () => requireDone(hubs[0]?.home, 'backup', 'create', backup))
        const elsewhere = await newHome()
        elsewhere.configure({ db: JSON.stringify({ driver: 'sqlite', path: join(copy, 'restored.sqlite') }) })
        await requireDone(elsewhere, 'backup', 'restore', backup)
        await requireDone(elsewhere, 'audit', 'verify')
      })
    }
  }
]
