import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { drawSecret } from '../../src/ledger/secrets.js'
import { suite } from '../support/suite.js'
import { postgres, sqlite } from './drivers.js'
import { issue, LIMITS, statuses } from './failures.js'
import { startHub, type TestHub, until } from './support.js'

const page = z.object({ entries: z.array(z.unknown()) })
const invited = z.object({ secret: z.string() })
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

  test('a refusal tells how many failures are left, for the secret and for the address', async () => {
    const { secret: token } = drawSecret('hbk_')
    const told = async () => {
      const { headers } = await hub.send({ method: 'GET', path: '/auth/session', token })
      return [headers.ratelimit, headers['ratelimit-policy']]
    }
    const [first, policy] = await told()
    assert.match(String(first), /^"failed-authentications";r=2, "failed-authentications-of-address";r=\d+$/)
    assert.match(
      String(policy),
      /^"failed-authentications";q=3;w=\d+, "failed-authentications-of-address";q=\d+;w=\d+$/
    )
    await told()
    assert.match(String((await told())[0]), /^"failed-authentications";r=0, /)
    assert.equal((await told())[0], '"failed-authentications";r=0;t=30')
    const { headers } = await hub.send({ method: 'GET', path: '/auth/session', token: hub.admin.token })
    assert.equal([headers.ratelimit, headers['ratelimit-policy']], [undefined, undefined])
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
      assert.equal(await statuses(guarded, 3, guarded.admin.token), [200, 200, 200], 'a token that is known passes')
      assert.equal(await statuses(guarded, 1), [429])
    } finally {
      await guarded.close()
    }
  })

  test('clients of deleted users that go on polling lock out nobody behind their address', async () => {
    const guarded = await startHub(driver, { limits: { ...LIMITS, maxFailuresPerAddress: 5 } })
    try {
      const gone = Array.from({ length: 4 }, () => drawSecret('hbk_'))
      for (const drawn of gone) await guarded.run({ type: 'RevokeToken', id: await issue(guarded, drawn) })
      const polls = Array.from({ length: 10 }, () => gone.map(({ secret }) => statuses(guarded, 1, secret)))
      const answers = (await Promise.all(polls.flat())).flat()
      assert.equal([answers.filter((status) => status === 401).length, new Set(answers)], [5, new Set([401, 429])])
      const late = drawSecret('hbk_')
      await issue(guarded, late)
      assert.equal(await statuses(guarded, 1, late.secret), [200])
      assert.equal(await statuses(guarded, 1, guarded.admin.token), [200])
    } finally {
      await guarded.close()
    }
  })

  test('of 60 wrong tries at once under one key, exactly maxFailures get 401 and the rest 429; one block is in the log', async () => {
    const guarded = await startHub(driver, { limits: { ...LIMITS, maxFailures: 10 } })
    try {
      const { secret } = drawSecret('hbk_')
      const all = (await Promise.all(Array.from({ length: 60 }, () => statuses(guarded, 1, secret)))).flat()
      assert.equal(
        [401, 429].map((status) => all.filter((one) => one === status).length),
        [10, 50]
      )
      assert.is(await blocksIn(guarded), 1)
    } finally {
      await guarded.close()
    }
  })

  test('of 60 guessed invitations at once exactly maxFailures get 404; one that is valid clears nothing', async () => {
    const guarded = await startHub(driver, { limits: { ...LIMITS, maxFailures: 10 } })
    try {
      const preview = async (secret: string) =>
        (await guarded.send({ method: 'POST', path: '/auth/invitations/preview', body: { secret } })).status
      const { secret } = await invite(guarded)
      for (let i = 0; i < 9; i++) {
        assert.is(await preview(drawSecret('hbi_').secret), 404)
        assert.is(await preview(secret), 200)
      }
      const redeem = { method: 'POST', path: '/auth/invitations/redeem', body: { secret } }
      assert.is((await guarded.send(redeem)).status, 201)
      const guesses = Array.from({ length: 60 }, () => preview(drawSecret('hbi_').secret))
      const all = await Promise.all(guesses)
      assert.equal(
        [404, 429].map((status) => all.filter((one) => one === status).length),
        [1, 59]
      )
      assert.is(await blocksIn(guarded), 1)
      assert.equal(await statuses(guarded, 1, guarded.admin.token), [200], 'nothing else is blocked by it')
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

async function blocksIn({ send, admin }: TestHub): Promise<number> {
  const { body } = await send({ method: 'GET', path: '/admin/audit?type=LoginBlocked', token: admin.token })
  return page.parse(body).entries.length
}

async function invite({ send, admin }: TestHub): Promise<z.infer<typeof invited>> {
  const body = { name: randomUUID(), role: 'user' }
  const reply = await send({ method: 'POST', path: '/admin/invited-users', body, token: admin.token })
  return invited.parse(reply.body)
}
