import * as assert from 'uvu/assert'
import { fields } from '../http/client.js'
import { suite } from '../support/suite.js'
import { accounts, aHubWithProvider, assertNoSecretIn, type Setting } from './setting.js'

/** Many at once: nothing falls over, and the provider is not asked by each. */
const test = suite('a crowd at the door')
let setting: Setting

test.before.each(async () => {
  setting = await aHubWithProvider()
})

const CROWD = 200
const DISCOVERY = '/.well-known/openid-configuration'
const atOnce = <T>(work: (place: number) => Promise<T>) => Promise.all(Array.from({ length: CROWD }, (_, i) => work(i)))
const logout = (body: string) =>
  fetch(`${setting.hub.url}/auth/sign-in/company/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body
  })

test('two hundred that begin at once are led on, and the provider is asked once what it is', async () => {
  const statuses = await atOnce(async () => (await setting.browser().ask('GET', '/auth/sign-in/company')).status)
  assert.equal([...new Set(statuses)], [302])
  assert.is(setting.provider.asked.get(DISCOVERY), 1)
})

test('two hundred that begin at once at a provider that is down are each told so', async () => {
  setting.provider.says = { answers: { [DISCOVERY]: (response) => response.destroy() } }
  const statuses = await atOnce(async () => (await setting.browser().ask('GET', '/auth/sign-in/company')).status)
  assert.equal([...new Set(statuses)], [503])
  setting.provider.says = {}
  assert.is((await setting.browser().signIn()).status, 302)
})

test('two hundred browsers of somebody who is new make one account, with a session for each', async () => {
  const before = await accounts(setting)
  const users = await atOnce(async () => {
    const browser = setting.browser()
    const back = await browser.signIn()
    assert.is(back.status, 302, await back.text())
    return fields(fields(await (await browser.ask('GET', '/auth/session')).json()).user).id
  })
  assert.is(new Set(users).size, 1)
  assert.is(await accounts(setting), before + 1)
})

test('one way back that is opened two hundred times at once gives one session', async () => {
  const browser = setting.browser()
  const back = await browser.wayBack(await browser.ask('GET', '/auth/sign-in/company'))
  const cookie = `hub_sign_in=${browser.cookies.get('hub_sign_in')}`
  const answers = await atOnce(() => fetch(setting.hub.url + back, { redirect: 'manual', headers: { cookie } }))
  const statuses = answers.map(({ status }) => status)
  assert.is(statuses.filter((status) => status === 302).length, 1)
  assert.is(statuses.filter((status) => status === 400).length, CROWD - 1)
})

test('two hundred requests of nonsense at each door are refused, and tokens let people in meanwhile', async () => {
  const before = setting.world.position()
  const session = () => setting.world.by(setting.world.owner).get('/auth/session')
  const doors: readonly (readonly [status: number, ask: (place: number) => Promise<Response>])[] = [
    [400, (i) => setting.browser().ask('GET', `/auth/sign-in/company/callback?code=${i}&state=${i}`)],
    [404, (i) => setting.browser().ask('GET', `/auth/sign-in/other-${i}/callback`)],
    [404, (i) => setting.browser().ask('GET', `/auth/sign-in/other-${i}`)],
    [400, (i) => logout(`logout_token=${i}`)],
    [401, () => setting.browser().ask('POST', '/auth/sign-out')]
  ]
  for (const [status, ask] of doors) {
    const [answers, meanwhile] = await Promise.all([atOnce(ask), session()])
    assert.equal([...new Set(answers.map((answer) => answer.status))], [status])
    assert.is(meanwhile.status, 200)
  }
  assert.is(setting.world.position(), before)
  assertNoSecretIn(setting, JSON.stringify(setting.hub.log))
})

test.run()
