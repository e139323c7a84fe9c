import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import { rebuild } from '../../src/ledger/rebuild.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import type { TestDatabase } from '../contract/databases.js'
import type { Suite } from '../support/suite.js'
import { newCollections, settleUser, wrongs } from './world.js'

/** Where a builder may be stopped: before it makes, fills or drops a generation, or switches to it. */
export const STEPS = ['createGeneration', 'apply', 'commit', 'dropGeneration'] as const

/** Enough for a second window. */
const EVENTS = 600
const WRITTEN_AT_ONCE = 200
const TRIES = 5
const RETRY_MS = 1000
const child = fileURLToPath(new URL('overtaken-child.js', import.meta.url))

/**
 * What becomes of a builder that is stopped, loses its lock and is woken when another one has finished. `unlock` takes the lock of
 * a rebuild from whoever holds it.
 */
export function overtakenSuite(
  test: Suite,
  open: () => Promise<TestDatabase>,
  unlock: (database: TestDatabase) => Promise<void>,
  steps: readonly (typeof STEPS)[number][] = STEPS
): void {
  for (const step of steps)
    test(
      `a builder that is stopped before ${step}, overtaken and woken again changes nothing any more`,
      async () => {
        const database = await open()
        let running: ChildProcess | undefined
        try {
          const storage = await database.open(tables)
          await migrate(storage)
          const ledger = await openLedger(storage, () => null)
          const ada = await settleUser(ledger, 'ada')
          const write = (count: number) =>
            insisting(() => Promise.all(newCollections(count).map((command) => ledger.run(command, ada))))
          for (let written = 0; written < EVENTS; written += WRITTEN_AT_ONCE) await write(WRITTEN_AT_ONCE)
          // One that can be dropped, and was live before.
          if (step === 'dropGeneration') await insisting(() => rebuild(storage))

          const started = fork(child, [JSON.stringify(database.config), step, String(EVENTS / 4)])
          running = started
          const said: string[] = []
          started.on('message', (text) => void said.push(String(text)))
          await once(started, 'message')
          assert.equal(said, ['stops'])
          await stopped(started)
          await unlock(database)
          const generation = await insisting(() => rebuild(storage))
          await write(20)
          const { builder } = (await storage.buildOf(generation)) ?? {}
          const ended = once(started, 'exit')
          started.kill('SIGCONT')
          await ended
          // Who had switched already has finished; what it was to drop, the other one has.
          if (step === 'dropGeneration') assert.equal(said, ['stops', 'switched'])
          else
            assert.match(said[1] ?? '', /^BuildLost: Generation 2 of the read tables was taken over by another process/)
          await write(20)
          assert.is((await storage.head()).generation, generation)
          assert.is((await storage.buildOf(generation))?.builder, builder)
          assert.equal(await wrongs(ledger), [])
        } finally {
          running?.kill('SIGKILL')
        }
      },
      { timeout_ms: 90_000 }
    )
}

/** Asks again where the database does not answer in time, as an emulator on a busy machine may: what was begun goes on there. */
async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || tries === TRIES) throw error
      await setTimeout(RETRY_MS)
    }
  }
}

/** Resolves when the process is stopped. */
async function stopped({ pid }: ChildProcess): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')) return
    await setTimeout(10)
  }
}
