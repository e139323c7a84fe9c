import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { ThrottleUnavailable } from '../../src/throttle/throttle.js'
import { fields, records, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { suite } from '../support/suite.js'
import { aHubThatIsAsked, type Setting } from './setting.js'

const test = suite('programs without a browser that ask for a token')
let setting: Setting
test.before(async () => {
  setting = await aHubThatIsAsked()
})
test.after(() => setting.close())

const owner = () => setting.world.by(setting.world.owner)
const answer = (code: string, approve: boolean, by = owner()) => by.post(`/auth/questions/${code}`, { approve })

test('one gets a token of who types its code, limited to what it has asked for, with an end', async () => {
  const asked = await setting.form('/oauth/device_authorization', { client_id: 'terminal', scope: 'read llm' })
  assert.is(asked.status, 200)
  const { user_code, device_code, interval, expires_in, ...rest } = asked.body
  assert.match(String(user_code), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.equal([interval, expires_in], [5, 600])
  assert.is(rest.verification_uri_complete, `${setting.hub.url}/auth/device?user_code=${user_code}`)
  const device = { deviceCode: String(device_code), userCode: String(user_code), clientId: 'terminal' }

  // Somebody types it as people do.
  const typed = String(user_code).toLowerCase().replace('-', '')
  const question = succeeded(await owner().get(`/auth/questions/${encodeURIComponent(typed)}`)).body
  const known = { program: 'A program at a terminal', scopes: ['read', 'llm'] }
  assert.equal(question, { ...known, agentsMayWrite: false, leadsTo: null })
  assert.equal(succeeded(await answer(String(user_code), true)).body, { location: null })
  const { status, body, headers } = await setting.poll(device)
  assert.is(status, 200, JSON.stringify(body))
  assert.match(text(body, 'access_token'), /^hbk_/)
  assert.equal([body.token_type, body.expires_in, body.scope], ['Bearer', 90 * 86_400, 'read llm'])
  assert.is(headers.get('cache-control'), 'no-store')

  const program = setting.world.by({ ...setting.world.owner, token: text(body, 'access_token') })
  const session = fields(succeeded(await program.get('/auth/session')).body)
  assert.equal(fields(session.token).scopes, ['read', 'llm'])
  assert.is(fields(session.user).id, setting.world.owner.id)
  assert.is((await program.post('/collections', { name: 'x' })).status, 403)
  const [listed] = records(await owner().get('/auth/tokens'), 'tokens')
  assert.is(listed?.name, 'A program at a terminal')
  // What was given is given once, and who asks again too soon learns nothing.
  await setTimeout(4100)
  assert.is((await setting.poll(device)).body.error, 'invalid_grant')
})

test('who asks before somebody has answered is to wait, and to ask less often', async () => {
  const device = await setting.device()
  const waiting = await setting.poll(device)
  assert.equal([waiting.status, waiting.body.error], [400, 'authorization_pending'])
  assert.is((await setting.poll(device)).body.error, 'slow_down')
})

test('who refuses it is obeyed, and nobody answers twice', async () => {
  const device = await setting.device()
  succeeded(await answer(device.userCode, false))
  assert.is((await answer(device.userCode, true)).status, 404)
  assert.is((await setting.poll(device)).body.error, 'access_denied')
})

test('of two who answer at once one alone is heard', async () => {
  const { userCode } = await setting.device()
  const answers = await Promise.all([1, 2, 3, 4].map(() => answer(userCode, true)))
  assert.equal(answers.map(({ status }) => status).sort(), [200, 404, 404, 404])
})

test('a limited token approves nothing', async () => {
  const { userCode } = await setting.device()
  const limited = succeeded(await owner().post('/auth/tokens', { name: 'x', scopes: ['write'] })).body
  const by = setting.world.by({ ...setting.world.owner, token: text(limited, 'secret') })
  assert.is((await answer(userCode, true, by)).status, 403)
  assert.is((await by.get(`/auth/questions/${userCode}`)).status, 403)
})

test('what somebody has approved and lost meanwhile is not given', async () => {
  const user = await setting.world.user()
  const device = await setting.device()
  succeeded(await answer(device.userCode, true, setting.world.by(user)))
  succeeded(await setting.world.by(setting.world.admin).post(`/admin/users/${user.id}/disable`))
  const { status } = await setting.poll(device)
  assert.is(status, 401)
})

test('where the store fails once a code is used, no token stays that nobody has got', async () => {
  const user = await setting.world.user()
  const by = setting.world.by(user)
  const service = setting.hub.hub.authorization
  assert.ok(service)
  const { store } = await service.server()
  const { get, set } = store
  const away = () => Promise.reject(new ThrottleUnavailable())
  const failing = [
    () =>
      Object.assign(store, {
        set: (...kept: Parameters<typeof set>) => (kept[0] === 'issued' ? away() : set(...kept))
      }),
    () =>
      Object.assign(store, { get: (kind: string, name: string) => (kind === 'replayed' ? away() : get(kind, name)) })
  ]
  for (const fail of failing) {
    const device = await setting.device()
    succeeded(await answer(device.userCode, true, by))
    fail()
    const { status } = await setting.poll(device)
    Object.assign(store, { get, set })
    const left = records(await by.get('/auth/tokens'), 'tokens').filter(
      ({ name, revokedAt }) => name === 'A program at a terminal' && revokedAt === null
    )
    assert.equal([status, left.length], [503, 0])
  }
})

test('codes are guessed only so often', async () => {
  const strict = await aHubThatIsAsked({}, { maxFailures: 10, maxFailuresPerAddress: 20 })
  const statuses: number[] = []
  const stranger = strict.world.by(strict.world.owner)
  for (let i = 0; i < 40; i++)
    statuses.push((await stranger.get(`/auth/questions/BCDF-GHJ${'KLMNPQRSTV'[i % 10]}`)).status)
  await strict.close()
  assert.equal(statuses, [...Array(10).fill(404), ...Array(30).fill(429)])
})

test('a program that there is not, and scopes that it may not ask for, are refused', async () => {
  const ask = (client_id: string, scope: string) => setting.form('/oauth/device_authorization', { client_id, scope })
  for (const one of ['nobody', 'hbc_e30.AAAA', '']) assert.ok((await ask(one, 'read')).status >= 400)
  assert.is((await ask('terminal', 'scim')).body.error, 'invalid_scope')
  assert.is((await ask('terminal', 'admin:read')).body.error, 'invalid_scope')
})

test('codes that there are not are counted nowhere, and questions of one address only so many', async () => {
  const own = await aHubThatIsAsked()
  const unknown = { deviceCode: 'x', userCode: '', clientId: 'terminal' }
  for (let i = 0; i < 3; i++) assert.is((await own.poll(unknown)).body.error, 'invalid_grant')
  const begun: number[] = []
  for (let i = 0; i < 103; i++)
    begun.push((await own.form('/oauth/device_authorization', { client_id: 'terminal', scope: 'read' })).status)
  await own.close()
  assert.equal([begun.filter((status) => status === 200).length, begun.slice(-3)], [100, [429, 429, 429]])
})

test('the page leads to where a code is typed in', async () => {
  const led = await fetch(`${setting.hub.url}/auth/device?user_code=ABCD-EFGH`, { redirect: 'manual' })
  assert.equal([led.status, led.headers.get('location')], [302, `${setting.hub.url}/console/#/approve/ABCD-EFGH`])
})

test.run()
