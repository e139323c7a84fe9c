import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { intrude, logIn, write } from '../audit/intruder.js'
import { suite } from '../support/suite.js'
import { postgres, sqlite } from './drivers.js'
import { withHub } from './hub-suite.js'
import { World } from './world.js'

for (const driver of [sqlite, postgres]) {
  const test = suite(`a row that somebody put behind the end of the log, on ${driver.name}`, { needs: driver.needs })

  test('writes are refused with 503 and what to do, reads go on, and all is well when it is gone', () =>
    withHub(
      {},
      async (hub) => {
        const world = await World.of(hub)
        const intruder = await intrude(hub.place.db)
        const last = (await logIn(intruder)).at(-1)
        assert.ok(last)
        const position = last.position + 1
        await write(intruder, { ...last, position, stream: `nobody-${randomUUID()}`, version: 1 })
        const { post, get } = world.by(world.owner)
        // Also of several in one commit each is told.
        const replies = await Promise.all(['a', 'b', 'c'].map((name) => post('/collections', { name })))
        for (const { status, headers, body } of replies) {
          const error = `An event stands at position ${position} of the log, behind its end, and the hub did not write it: nothing can be written. Stop the hub, run \`hub audit verify\`, and delete that row from the log.`
          assert.equal([status, headers['retry-after'], body], [503, '60', { error }])
        }
        assert.is((await get('/collections')).status, 200)
        await intruder.run('DELETE FROM hub_log WHERE position = ?', position)
        await intruder.close()
        assert.is((await post('/collections', { name: 'd' })).status, 200)
      },
      driver
    ))

  test.run()
}
