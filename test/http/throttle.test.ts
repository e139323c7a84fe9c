import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { drawSecret } from '../../src/secrets.js'
import { suite } from '../support/suite.js'
import { postgres, sqlite } from './drivers.js'
import { issue, LIMITS, statuses } from './failures.js'
import { startHub, type TestHub, until } from './support.js'

const BLOCKED = { error: 'Too Many Requests' }

// The two kinds of store that count failures: the memory of the process, and Redis.
for (const driver of [sqlite, postgres]) {
  const test = suite(`throttle on ${driver.name}`, { needs: driver.needs })
  let hub: TestHub

  test.before(async () => {
    hub = await startHub(driver, { limits: LIMITS })
  })
  test.after(() => hub?.close())

  test('the failure that reaches maxFailures is still 401, the next is 429 with Retry-After', async () => {
    const { secret } = drawSecret('hbk_')
    assert.equal(await statuses(hub, 4, secret), [401, 401, 401, 429])
    const reply = await hub.send({ method: 'GET', path: '/auth/session', token: secret })
    assert.equal([reply.body, reply.headers['retry-after']], [BLOCKED, '30'])
  })

  test('requests without a token are counted together, malformed ones with them', async () => {
    await statuses(hub, 1)
    for (const authorization of ['Bearer', 'Basic YTpi', 'Bearer one two']) {
      await hub.send({ method: 'GET', path: '/collections', headers: { authorization } })
    }
    assert.equal(await statuses(hub, 1), [429])
  })

  test('a block is before everything else, and holds on every protected route', async () => {
    const { secret: token } = drawSecret('hbk_')
    await statuses(hub, 3, token)
    const path = `/collections/${randomUUID()}`
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
      assert.is((await hub.send({ method, path, token, text: '{', headers: { 'content-type': 'x/y' } })).status, 429)
    }
  })

  test('one token’s block is no other’s, and /health has none', async () => {
    await statuses(hub, 4, drawSecret('hbk_').secret)
    assert.equal(await statuses(hub, 1, hub.admin.token), [200])
    assert.equal(await statuses(hub, 1, drawSecret('hbk_').secret), [401])
    for (let i = 0; i < 5; i++) assert.is((await hub.send({ method: 'GET', path: '/health' })).status, 200)
  })

  test('failures with ever new tokens are counted by address, up to maxFailuresPerAddress', async () => {
    const guarded = await startHub(driver, { limits: { ...LIMITS, maxFailuresPerAddress: 5 } })
    try {
      const all = []
      for (let i = 0; i < 6; i++) all.push(...(await statuses(guarded, 1, drawSecret('hbk_').secret)))
      assert.equal(all, [401, 401, 401, 401, 401, 429])
    } finally {
      await guarded.close()
    }
  })

  test('a success clears the failures before it', async () => {
    const drawn = drawSecret('hbk_')
    await statuses(hub, 2, drawn.secret)
    const tokenId = await issue(hub, drawn)
    assert.equal(await statuses(hub, 1, drawn.secret), [200])
    await hub.run({ type: 'RevokeToken', id: tokenId })
    assert.equal(await statuses(hub, 4, drawn.secret), [401, 401, 401, 429])
  })

  test('a block ends after blockSeconds, and not by the token becoming valid', async () => {
    const brief = await startHub(driver, { limits: { ...LIMITS, blockSeconds: 1 } })
    try {
      const drawn = drawSecret('hbk_')
      await statuses(brief, 2, drawn.secret)
      const started = performance.now()
      assert.equal(await statuses(brief, 1, drawn.secret), [401])
      await issue(brief, drawn)
      await until(async () => ((await statuses(brief, 1, drawn.secret))[0] === 200 ? true : null))
      assert.ok(performance.now() - started >= 1000)
    } finally {
      await brief.close()
    }
  })

  test.run()
}
