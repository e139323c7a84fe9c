import * as assert from 'uvu/assert'
import { versions } from '../../projections/index.js'
import { openStorage } from '../../src/app/databases.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { HubError } from '../../src/errors.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import {
  CLOSED_HERE,
  isClosed,
  releaseOf,
  SCHEMA,
  textOfWriting,
  unlessClosed,
  WRITTEN_HERE
} from '../../src/ledger/release.js'
import { commitAfter } from '../contract/commits.js'
import { collectionContent } from '../http/content.js'
import { drivers } from '../http/drivers.js'
import { World } from '../http/world.js'
import { rejection } from '../log/faults.js'
import { afterwards } from '../support/afterwards.js'
import { openMemory } from '../support/memoryStorage.js'
import { type Teams, type TestTenant, teamsSuite } from './support.js'

const TEXT = 'This tenant is being moved: it can be read, and nothing can be changed. Try again in a moment.'

for (const driver of drivers) {
  let tenant: TestTenant
  let world: World
  const test = teamsSuite('a log that is closed', driver, async ({ tenant: make }: Teams) => {
    tenant = await make('acme')
    world = await World.of(tenant)
  })

  /** What the head of the tenant's log names, as another process sets it. */
  async function under(text: string): Promise<void> {
    const storage = await openStorage(tenant.made.config.db)
    await storage.schema.writeUnder(text)
    await storage.close()
  }

  test('it is read as ever, refuses every write with 503, and takes them again once it is opened', async () => {
    const { get, post, put, delete: remove } = world.by(world.owner)
    const id = await world.collection('before')
    await under(CLOSED_HERE)
    for (const send of [
      () => post('/collections', { name: 'meanwhile' }),
      () => put(`/collections/${id}`, { ...collectionContent, name: 'meanwhile' }),
      () => remove(`/collections/${id}`)
    ]) {
      const reply = await send()
      assert.equal(
        [reply.status, reply.text, reply.headers['retry-after'] !== undefined],
        [503, JSON.stringify({ error: TEXT }), true]
      )
    }
    assert.equal([(await get('/collections')).status, (await get(`/collections/${id}/requests`)).status], [200, 200])
    assert.ok((await get('/collections')).text.includes('before'))
    assert.not.ok((await get('/collections')).text.includes('meanwhile'))
    await under(WRITTEN_HERE)
    assert.is((await put(`/collections/${id}`, { ...collectionContent, name: 'after' })).status, 200)
  })

  test('whoever opens it anew finds it closed as well', async () => {
    await under(CLOSED_HERE)
    const ledger = await openReadyLedger(tenant.made.config)
    afterwards(() => ledger.close())
    const error = await ledger
      .run({ type: 'RevokeToken', id: world.owner.tokenId }, systemOrigin)
      .catch((e: unknown) => e)
    assert.ok(error instanceof HubError && error.status === 503, String(error))
    await under(WRITTEN_HERE)
    await ledger.run({ type: 'RevokeToken', id: world.colleague.tokenId }, systemOrigin)
  })

  test.run()
}

const heads = teamsSuite('what a head says', drivers[0] ?? never(), () => {})

function never(): never {
  throw new Error('There is no driver')
}

heads('a closed log is of this release; older and newer ones are what they were', () => {
  const head = { position: 1, chain: '', at: '', generation: 1 }
  const of = (writtenUnder?: string) => ({ ...head, ...(writtenUnder !== undefined && { writtenUnder }) })
  const told = (writtenUnder?: string) => [isClosed(of(writtenUnder)), releaseOf(of(writtenUnder))]
  assert.equal(told(CLOSED_HERE), [true, 'current'])
  assert.equal(told(WRITTEN_HERE), [false, 'current'])
  assert.equal(told(), [false, 'older'])
  assert.equal(told(textOfWriting({ schema: SCHEMA - 1, projections: versions })), [false, 'older'])
  assert.equal(told(textOfWriting({ schema: SCHEMA + 1, projections: versions })), [false, 'newer'])
  assert.equal(told('nonsense'), [false, 'newer'])
})

heads('what is decided on a closed head is refused with 503, and is stale once the log is opened again', async () => {
  const log = openMemory()
  await log.schema.createTables()
  const storage = unlessClosed(log)
  const change = async () => commitAfter(await storage.head(), [{}])
  await storage.schema.writeUnder(WRITTEN_HERE)
  const before = await change()
  await storage.schema.writeUnder(CLOSED_HERE)
  const closed = await change()
  assert.is(await storage.commit(before), 'stale', 'it was decided before the log was closed')
  for (const write of [() => storage.commit(closed), () => storage.write(async () => closed)]) {
    const error = await rejection(write())
    assert.ok(error instanceof HubError && error.status === 503 && error.message === TEXT, String(error))
  }
  await storage.schema.writeUnder(WRITTEN_HERE)
  assert.is(await storage.commit(closed), 'stale')
  assert.is((await log.head()).position, 0)
  assert.is(await storage.commit(await change()), 'committed')
})

heads.run()
