import * as assert from 'uvu/assert'
import { copyOf, intrude, putBack } from '../audit/intruder.js'
import { newHome } from '../cli/support.js'
import { suite } from '../support/suite.js'
import { postgres, sqlite } from './drivers.js'
import { startBeside, startHub, until } from './support.js'
import { World } from './world.js'

for (const driver of [sqlite, postgres]) {
  const test = suite(`a log that went back, on ${driver.name}`, { needs: driver.needs })

  test('every hub refuses reads, writes and cursors of it until an operator accepts that, and then serves it', async () => {
    const hub = await startHub(driver)
    const [beside, late] = [await startBeside(hub), await startBeside(hub)]
    const [home, intruder] = [await newHome(), await intrude(hub.place.db)]
    try {
      const world = await World.of(hub)
      const { get, post } = world.by(world.owner)
      const feed = async (after: string) => get(`/changes?after=${after}&limit=5`)
      const { cursor: early } = (await feed('0')).body as { cursor: string }
      const copy = await copyOf(intruder)
      const end = world.position()
      for (const name of ['a', 'b', 'c']) await post('/collections', { name })
      const { cursor: lost } = (await feed(String(end))).body as { cursor: string }
      const there = { token: world.owner.token, method: 'GET', path: '/collections' } as const
      for (const { send } of [beside, late]) assert.is((await send(there)).status, 200)

      await putBack(intruder, copy)
      const refusals = [await get('/collections'), await post('/collections', { name: 'd' }), await beside.send(there)]
      for (const { status, headers, body } of refusals) {
        const { error } = body as { error: string }
        assert.equal([status, headers['retry-after']], [503, '60'])
        assert.match(
          error,
          new RegExp(`known to go on to position ${end + 3} .* it ends at position ${end}\\. .*accept-head`)
        )
      }
      const { checks } = (await beside.send({ method: 'GET', path: '/readyz' })).body as {
        checks: Record<string, { status: string; error?: string }>
      }
      assert.is(checks.log?.status, 'error')
      assert.match(checks.log?.error ?? '', 'and that event is not in it')
      const measures = await (await fetch(`${beside.url}/metrics`)).text()
      assert.match(measures, '\nteam_hub_log_went_back 1\n')

      home.configure({ db: JSON.stringify(hub.place.db), redis: JSON.stringify(hub.place.redis) })
      await until(async () => ((await home.here('user', 'list')).stderr.includes('accept-head') ? true : null))
      const unasked = await home.here('log', 'accept-head')
      assert.equal([unasked.code, unasked.stdout], [1, ''])
      assert.match(unasked.stderr, `known to go on to position ${end + 3}`)
      assert.match((await home.here('log', 'accept-head', '--yes')).stdout, 'Accepted.')
      // One of them has not noticed before.
      for (const send of [hub.send, beside.send, late.send])
        await until(async () => ((await send(there)).status === 200 ? true : null))

      assert.is((await feed(early)).status, 200)
      const refused = await feed(lost)
      assert.is(refused.status, 410)
      assert.match(JSON.stringify(refused.body), 'after is from before the log went back')
      assert.is((await post('/collections', { name: 'e' })).status, 200)
      assert.match((await home.here('audit', 'list', '--type', 'HeadAccepted')).stdout, 'HeadAccepted')
    } finally {
      await Promise.all([intruder.close(), beside.close(), late.close(), home.remove()])
      await hub.close()
    }
  })

  test.run()
}
