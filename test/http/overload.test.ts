import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import * as assert from 'uvu/assert'
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
    // Of a body whose length is not said, the hub must expect as much as it would take: 8 MB.
    const create = () =>
      hub.send({
        method: 'POST',
        path: '/snippets',
        token: world.owner.token,
        text: JSON.stringify({ name: 'Large', code: 'x()', scope: 'any' }),
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
      })
    let answers = 0
    const replies = Array.from({ length: 10 }, () => create().finally(() => answers++))
    while (answers < 2) await sleep(5)
    other.exec('COMMIT')
    other.close()
    const answered = await Promise.all(replies)
    const refused = answered.filter(({ status }) => status !== 200)
    assert.is(answered.length - refused.length, 8)
    for (const { status, headers, body } of refused)
      assert.equal([status, headers['retry-after'], body], [503, '1', { error: TEXT }])
    assert.is((await listed(world, '/snippets')).length, 8)
    assert.is((await create()).status, 200)
  } finally {
    await hub.close()
  }
})

test.run()
