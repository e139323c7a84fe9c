import { randomUUID } from 'node:crypto'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { LIMITS } from '../../src/limits.js'
import { suite } from '../support/suite.js'
import { sqlite } from './drivers.js'
import { startHub } from './support.js'
import { listed, World } from './world.js'

const test = suite('more to write than can wait')
const TEXT = 'The hub has more to write than it can take. Try again in a moment.'

test('is refused with 503 that says when to come again; what waits is written', async () => {
  const hub = await startHub(sqlite)
  try {
    const world = await World.of(hub)
    assert.ok(hub.place.db.driver === 'sqlite')
    const other = new Database(hub.place.db.path)
    other.exec('BEGIN IMMEDIATE')
    const waiting = Array.from({ length: 8 }, (_, i) =>
      hub.hub.ledger.run(
        { type: 'CreateCollection', id: randomUUID(), name: `Waiting ${i}` },
        { ...editorOrigin, bytes: LIMITS.writeQueueBytes.max / 8 }
      )
    )
    const { status, headers, body } = await world.by(world.owner).post('/collections', { name: 'One more' })
    assert.equal([status, headers['retry-after'], body], [503, '1', { error: TEXT }])
    other.exec('COMMIT')
    other.close()
    await Promise.all(waiting)
    assert.is((await listed(world, '/collections')).length, 8)
  } finally {
    await hub.close()
  }
})

test('of an account is refused where it has half of what may wait; others have room', async () => {
  const hub = await startHub(sqlite)
  try {
    const world = await World.of(hub)
    const { post } = world.by(world.owner)
    assert.ok(hub.place.db.driver === 'sqlite')
    const other = new Database(hub.place.db.path)
    other.exec('BEGIN IMMEDIATE')
    const bytes = LIMITS.writeQueueBytes.max / 2
    const command = { type: 'CreateCollection', id: randomUUID(), name: 'Waiting' } as const
    const waiting = hub.hub.ledger.run(command, { ...editorOrigin, account: world.owner.id, bytes })
    const ofOther = world.by(world.colleague).post('/collections', { name: 'Of a colleague' })
    const both = Promise.allSettled([waiting, ofOther])
    const { status, body } = await post('/collections', { name: 'One more' }).finally(() => {
      other.exec('COMMIT')
      other.close()
    })
    assert.equal([status, body], [503, { error: TEXT }])
    await both
    assert.is((await ofOther).status, 200)
    assert.is((await listed(world, '/collections')).length, 2)
  } finally {
    await hub.close()
  }
})

test.run()
