import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { history } from '../../bench/replay/history.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { verify } from '../../projections/verify.js'
import { openLedger } from '../../src/app/openLedger.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { NoWayBack, prune, rebuild, rollback } from '../../src/ledger/rebuild.js'
import type { Storage } from '../../src/storage/storage.js'
import { databaseDrivers, type TestDatabase } from '../contract/databases.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'

const child = fileURLToPath(new URL('./rebuild-child.js', import.meta.url))
/** Of these the child has rebuilt no more than a part when it is killed. */
const EVENTS = isFull ? 20_000 : 4000

for (const { name, needs, open } of databaseDrivers) {
  const test = suite(`a rebuild on ${name} that is not finished, or not wanted`, { needs })
  let database: TestDatabase
  let storage: Storage

  test.before(async () => {
    database = await open()
    storage = await database.open(tables)
    await migrate(storage)
    const ledger = await openLedger(storage, () => null)
    await ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  })

  const isEqual = async () => {
    const { readModel, readEvents } = await openLedger(storage, () => null)
    await readModel.current()
    return (await verify(storage, readEvents, () => createHash('sha256'))).equal
  }
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing',
      (error: unknown) => {
        assert.instance(error, NoWayBack)
        return error instanceof Error ? error.message : ''
      }
    )

  test('the tables before come back with what has happened since, as long as they are there', async () => {
    await rebuild(storage)
    const { generation } = await storage.head()
    const ledger = await openLedger(storage, () => null)
    await ledger.run(
      { type: 'CreateSnippetAsAdmin', id: 's', content: { name: 'New', code: '', scope: 'any' } },
      systemOrigin
    )
    const back = await rollback(storage)
    assert.is((await storage.head()).generation, back)
    assert.is.not(back, generation)
    assert.ok(await isEqual())
    assert.is(await rollback(storage), generation)
    assert.ok(await isEqual())
    await prune(storage)
    assert.match(await refusal(rollback(storage)), /^Generation \d+ is gone\. Run hub projections rebuild\.$/)
  })

  test('tables that there is no way back to are gone, and only those', async () => {
    const { generation: first } = await storage.head()
    await rebuild(storage)
    const { generation: second } = await storage.head()
    await rebuild(storage)
    const { generation: third } = await storage.head()
    const holds = async (generation: number) => {
      const users = tables.find(({ name }) => name === 'users')
      assert.ok(users)
      return (await storage.scan(generation, users, '', 10).catch(() => [])).length > 0
    }
    assert.equal(await Promise.all([first, second, third].map(holds)), [false, true, true])
    assert.is((await storage.buildOf(first))?.label, '')
    await rollback(storage)
    assert.equal(await Promise.all([second, third].map(holds)), [true, true])
    assert.ok(await isEqual())
  })

  // Its emulator takes minutes for so many events.
  if (name !== 'firestore')
    test(
      'killed with kill -9 it goes on where it was, and comes to what a replay comes to',
      async () => {
        // What is rolled back to is not the last one, behind which the next is looked for.
        await rebuild(storage)
        for (const { after, events: some, head } of history(EVENTS, await storage.head()))
          await storage.commit({ after, events: some, ops: [], head })
        const { generation } = await storage.head()
        const running = spawn(process.execPath, [child, JSON.stringify(database.config)], { stdio: 'ignore' })
        const ended = once(running, 'exit')
        while (((await storage.buildOf(generation + 1))?.position ?? 0) === 0 && running.exitCode === null)
          await new Promise((resolve) => setTimeout(resolve, 5))
        running.kill('SIGKILL')
        await ended
        const left = await storage.buildOf(generation + 1)
        assert.is((await storage.head()).generation, generation, 'it was finished before it was killed')
        const seen: number[] = []
        await rebuild(storage, (position) => seen.push(position))
        assert.ok((left?.position ?? 0) > 0)
        assert.ok((seen[0] ?? 0) > (left?.position ?? 0), `${seen[0]} after ${left?.position}`)
        assert.ok(await isEqual())
      },
      { timeout_ms: 90_000 }
    )

  test.run()
}
