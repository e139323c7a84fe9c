import * as assert from 'uvu/assert'
import type { HubConfig } from '../../src/config/types.js'
import { hostPorts } from '../../src/ops/host.js'
import { signIns } from '../../src/ops/signIns.js'
import { fields, records, text } from '../http/client.js'
import { succeeded } from '../http/world.js'
import { suite } from '../support/suite.js'
import { aHubWithProvider, assertRefused, type Setting } from './setting.js'

const test = suite('groups by the word of a provider')
let setting: Setting
let payments: string
let others: string

test.before(async () => {
  const rules = [
    { value: 'payments-team', group: 'payments' },
    { value: 'everybody', group: 'Others' },
    { value: 'staff', group: 'Nobody has made it' }
  ]
  setting = await aHubWithProvider({ groupRules: rules })
  const made = async (name: string) => text(succeeded(await byAdmin().post('/admin/groups', { name })).body, 'id')
  payments = await made('Payments')
  others = await made('Others')
})

const byAdmin = () => setting.world.by(setting.world.admin)
let people = 0

/** Somebody new, whom the provider says to be in these groups. */
function somebody(...groups: readonly string[]): string {
  const sub = `member-${people++}`
  setting.provider.says = { claims: { sub }, userInfo: { sub, name: sub, groups } }
  return sub
}

function isNow(...groups: readonly string[]): void {
  const { says } = setting.provider
  setting.provider.says = { ...says, userInfo: { ...says.userInfo, groups } }
}

const account = async (name: string) => {
  const found = records(await byAdmin().get('/admin/users'), 'users').find((one) => one.name === name)
  assert.ok(found)
  return found
}
const byRule = (id: string, value: string) => ({ id, by: 'rule', rule: `company:${value}` })

test('whoever signs in is in the groups that the rules name, and no more in what they do not', async () => {
  const name = somebody('payments-team', 'everybody', 'staff', 'of no rule')
  await setting.browser().signIn()
  assert.equal((await account(name)).groups, [byRule(payments, 'payments-team'), byRule(others, 'everybody')])
  isNow('everybody')
  await setting.browser().signIn()
  assert.equal((await account(name)).groups, [byRule(others, 'everybody')])
  isNow()
  await setting.browser().signIn()
  assert.is((await account(name)).groups, undefined)
})

test('what an administrator has made them a member of stays', async () => {
  const name = somebody()
  await setting.browser().signIn()
  const { id } = await account(name)
  succeeded(await byAdmin().put(`/admin/groups/${payments}/members/${id}`))
  isNow('payments-team', 'everybody')
  await setting.browser().signIn()
  const byHand = { id: payments, by: 'administrator', rule: null }
  assert.equal((await account(name)).groups, [byHand, byRule(others, 'everybody')])
  isNow()
  await setting.browser().signIn()
  assert.equal((await account(name)).groups, [byHand])
})

test('whoever is in a group by a rule, and is put there by an administrator as well, stays', async () => {
  const name = somebody('payments-team')
  await setting.browser().signIn()
  const { id } = await account(name)
  succeeded(await byAdmin().put(`/admin/groups/${payments}/members/${id}`))
  isNow()
  await setting.browser().signIn()
  assert.equal((await account(name)).groups, [{ id: payments, by: 'administrator', rule: null }])
})

test('a group of a name that there cannot be says nothing about the others, nor does the name of somebody that cannot be stored', async () => {
  const sub = somebody('everybody')
  setting.provider.says = {
    claims: { sub },
    userInfo: {
      sub,
      name: 'Ada\u0000',
      preferred_username: '\ud800',
      email: undefined,
      groups: [null, 'x'.repeat(501), 'everybody']
    }
  }
  assert.is((await setting.browser().signIn()).status, 302)
  assert.equal((await account(sub)).groups, [byRule(others, 'everybody')])
})

test('a sign-in that changes no group is told of without one', async () => {
  somebody('everybody')
  await setting.browser().signIn()
  const before = setting.world.position()
  await setting.browser().signIn()
  assert.is(setting.world.position() - before, 2, 'a token, and who signed in')
})

test('a disabled account is not signed in, and its sessions are refused', async () => {
  const name = somebody()
  const browser = setting.browser()
  await browser.signIn()
  const { id } = await account(name)
  succeeded(await byAdmin().post(`/admin/users/${id}/disable`))
  assert.is((await browser.ask('GET', '/auth/session')).status, 401)
  const refusal = { status: 403, says: /This account is disabled\. Ask whoever runs the hub\./ }
  await assertRefused(setting, refusal, (one) => one.signIn())
  succeeded(await byAdmin().post(`/admin/users/${id}/enable`))
  assert.is((await browser.ask('GET', '/auth/session')).status, 200)
})

test('who signs out everywhere ends each session, and no token', async () => {
  const name = somebody()
  const [here, there] = [setting.browser(), setting.browser()]
  await here.signIn()
  await there.signIn()
  const { id } = await account(name)
  const issued = succeeded(await byAdmin().post(`/admin/users/${id}/tokens`, { name: 'Laptop' })).body
  const gone = await here.ask('POST', '/auth/sign-out/everywhere')
  assert.is(gone.status, 204, await gone.text())
  for (const one of [here, there]) assert.is((await one.ask('GET', '/auth/session')).status, 401)
  const laptop = setting.world.by({ ...setting.world.owner, token: text(issued, 'secret') })
  assert.is(fields(fields((await laptop.get('/auth/session')).body).user).id, id)
})

test('the account of a machine is bound to nobody', async () => {
  const body = { name: 'Nightly report', role: 'user', isService: true }
  const { user } = fields(succeeded(await byAdmin().post('/admin/users', body)).body)
  const subject = { provider: 'company', subject: 'somebody-else' }
  await setting.world.refused(
    409,
    () => byAdmin().post(`/admin/users/${text(user, 'id')}/sign-ins`, subject),
    'This is the account of a machine, which nobody signs in as.'
  )
})

test('hub doctor names who is still in a group by a rule that the configuration has no more', async () => {
  const name = somebody('everybody')
  await setting.browser().signIn()
  const { config, ledger } = setting.hub.hub
  const without = (signIn: HubConfig['signIn']) =>
    signIn && { ...signIn, providers: signIn.providers.map((one) => ({ ...one, groupRules: [] })) }
  const found = async (signIn: HubConfig['signIn']) => {
    const ports = hostPorts('server.yaml', () => ({ ...config, signIn }))
    const own = { storage: async () => ledger.storage, askSignInProvider: async () => ({ keys: 1, clock_ms: 0 }) }
    return (await signIns.run({ ...ports, ...own })).map(({ text }) => text)
  }
  const told = (texts: readonly string[]) => texts.filter((one) => one.includes(name))
  assert.equal(told(await found(config.signIn)), [])
  for (const signIn of [without(config.signIn), undefined]) {
    const [text = ''] = told(await found(signIn))
    assert.match(text, /^The configuration has no rule "company:everybody" any more, by which these are in a group: /)
  }
  // Nobody can be taken out of a group that is gone.
  for (const group of records(await byAdmin().get('/admin/groups'), 'groups'))
    succeeded(await byAdmin().delete(`/admin/groups/${text(group, 'id')}`))
  assert.equal(told(await found(undefined)), [])
})

test.run()
