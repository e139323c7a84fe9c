import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { drawSecret } from '../../src/ledger/secrets.js'
import { suite } from '../support/suite.js'
import { records, text } from './client.js'
import { usualDrivers } from './drivers.js'
import { issue, LIMITS, statuses } from './failures.js'
import { type HubOptions, startHub, type TestHub } from './support.js'

const BLOCKED = { error: 'Too Many Requests' }
/** How often each of these statuses is among them. */
const counted = (all: readonly number[], ...wanted: readonly number[]) =>
  wanted.map((status) => all.filter((one) => one === status).length)

// How each store counts failures is in test/throttle/.
for (const driver of usualDrivers) {
  const test = suite(`throttle on ${driver.name}`, { needs: driver.needs })
  let hub: TestHub

  test.before(async () => {
    hub = await startHub(driver, { limits: LIMITS })
  })
  test.after(() => hub?.close())

  /** A hub of its own, for what blocks the address that every test comes from. */
  const guardedBy = async (limits: HubOptions['limits'], use: (guarded: TestHub) => Promise<void>): Promise<void> => {
    const guarded = await startHub(driver, { limits: { ...LIMITS, ...limits } })
    await use(guarded).finally(() => guarded.close())
  }

  test('the failure that reaches maxFailures is still 401, the next is 429 with Retry-After, on every protected route', async () => {
    const drawn = drawSecret('hbk_')
    const { secret: token } = drawn
    assert.equal(await statuses(hub, 4, token), [401, 401, 401, 429])
    await issue(hub, drawn)
    const reply = await hub.send({ method: 'GET', path: '/auth/session', token })
    assert.equal([reply.body, reply.headers['retry-after']], [BLOCKED, '30'])
    const path = `/collections/${randomUUID()}`
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD'])
      assert.is((await hub.send({ method, path, token, text: '{', headers: { 'content-type': 'x/y' } })).status, 429)
    assert.equal(await statuses(hub, 1, hub.admin.token), [200])
    assert.equal(await statuses(hub, 1, drawSecret('hbk_').secret), [401])
    for (let i = 0; i < 5; i++) assert.is((await hub.send({ method: 'GET', path: '/health' })).status, 200)
  })

  test('a refusal tells how many failures are left, for the secret and for the address', async () => {
    const { secret } = drawSecret('hbk_')
    const told = async (token = secret) => {
      const { headers } = await hub.send({ method: 'GET', path: '/auth/session', token })
      return [headers.ratelimit, headers['ratelimit-policy']]
    }
    const [first, policy] = await told()
    assert.match(String(first), /^"failed-authentications";r=2, "failed-authentications-of-address";r=\d+$/)
    const window = /^"failed-authentications";q=3;w=\d+, "failed-authentications-of-address";q=\d+;w=\d+$/
    assert.match(String(policy), window)
    await told()
    assert.match(String((await told())[0]), /^"failed-authentications";r=0, /)
    assert.is((await told())[0], '"failed-authentications";r=0;t=30')
    assert.equal(await told(hub.admin.token), [undefined, undefined])
  })

  test('requests without a token are counted together, malformed ones with them', async () => {
    await statuses(hub, 1)
    for (const authorization of ['Bearer', 'Basic YTpi', 'Bearer one two'])
      await hub.send({ method: 'GET', path: '/collections', headers: { authorization } })
    assert.equal(await statuses(hub, 1), [429])
  })

  test('a success clears the failures before it', async () => {
    const drawn = drawSecret('hbk_')
    await statuses(hub, 2, drawn.secret)
    const tokenId = await issue(hub, drawn)
    assert.equal(await statuses(hub, 1, drawn.secret), [200])
    await hub.run({ type: 'RevokeToken', id: tokenId })
    assert.equal(await statuses(hub, 4, drawn.secret), [401, 401, 401, 429])
  })

  test('failures with ever new tokens are counted by address, and lock out nobody behind it whose token is known', () =>
    guardedBy({ maxFailuresPerAddress: 5 }, async (guarded) => {
      const gone = Array.from({ length: 4 }, () => drawSecret('hbk_'))
      for (const drawn of gone) await guarded.run({ type: 'RevokeToken', id: await issue(guarded, drawn) })
      const polls = Array.from({ length: 10 }, () => gone.map(({ secret }) => statuses(guarded, 1, secret)))
      assert.equal(counted((await Promise.all(polls.flat())).flat(), 401, 429), [5, 35])
      const late = drawSecret('hbk_')
      await issue(guarded, late)
      assert.equal(await statuses(guarded, 1, late.secret), [200])
      assert.equal(await statuses(guarded, 3, guarded.admin.token), [200, 200, 200], 'a token that is known passes')
      assert.equal(await statuses(guarded, 1), [429])
    }))

  test('of 60 guesses at once, of a token or of an invitation, exactly maxFailures are answered; each block is in the log once', () =>
    guardedBy({ maxFailures: 10 }, async (guarded) => {
      const { send, admin } = guarded
      const sixty = async (ask: () => Promise<number>) => Promise.all(Array.from({ length: 60 }, ask))
      const { secret: wrong } = drawSecret('hbk_')
      const tokens = await sixty(async () => (await statuses(guarded, 1, wrong))[0] ?? 0)
      assert.equal(counted(tokens, 401, 429), [10, 50])
      const preview = async (secret: string) =>
        (await send({ method: 'POST', path: '/auth/invitations/preview', body: { secret } })).status
      const body = { name: randomUUID(), role: 'user' }
      const invited = await send({ method: 'POST', path: '/admin/invited-users', body, token: admin.token })
      const secret = text(invited.body, 'secret')
      for (let i = 0; i < 9; i++) {
        assert.is(await preview(drawSecret('hbi_').secret), 404)
        assert.is(await preview(secret), 200, 'one that is valid clears nothing')
      }
      const guesses = await sixty(() => preview(drawSecret('hbi_').secret))
      assert.equal(counted(guesses, 404, 429), [1, 59])
      const log = await send({ method: 'GET', path: '/admin/audit?type=LoginBlocked', token: admin.token })
      assert.is(records(log, 'entries').length, 2)
      assert.equal(await statuses(guarded, 1, admin.token), [200], 'nothing else is blocked by it')
    }))

  test.run()
}
