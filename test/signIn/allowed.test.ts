import * as assert from 'uvu/assert'
import { z } from 'zod'
import { recheckSessions } from '../../src/signIn/recheck.js'
import { suite } from '../support/suite.js'
import { aHubWithProvider, assertRefused, type Setting } from './setting.js'

/** Domains and groups: whoever is in neither is not let in, and is let in no more. */
const test = suite('who is in a domain or a group')
const MINUTES = 15
let setting: Setting
let now_ms = Date.now()

test.before(async () => {
  const company = { allowedDomains: ['example.com'], allowedGroups: ['staff'] }
  const section = { recheckMinutes: MINUTES }
  setting = await aHubWithProvider(company, undefined, { now: () => now_ms }, undefined, section)
})

let people = 0

/** Has the provider say this of somebody whom the hub has never seen. */
function newcomer(info: Readonly<Record<string, unknown>>, claims: Readonly<Record<string, unknown>> = {}): void {
  const sub = `somebody-${people++}`
  const nothing = { email: undefined, email_verified: undefined }
  setting.provider.says = { claims: { sub, ...claims }, userInfo: { ...nothing, sub, name: sub, ...info } }
}

const NOT_LET_IN = {
  status: 403,
  says: /is in no group and no domain that may sign in here\. Ask whoever runs the hub/
}
const of = (email: unknown) => ({ email, email_verified: true })

const outside: readonly (readonly [what: string, info: object, claims?: object])[] = [
  ['nothing of', {}],
  ['an address that it has not verified of', { email: 'ada@example.com', email_verified: false }],
  ['an address of which it does not say whether it has verified it of', { email: 'ada@example.com' }],
  ['an address that is verified by a word of', { email: 'ada@example.com', email_verified: 'true' }],
  ['an address whose domain ends the same of', of('ada@evilexample.com')],
  ['an address whose domain begins the same of', of('ada@example.com.evil.org')],
  ['an address below the domain of', of('ada@below.example.com')],
  ['an address with the domain in its name of', of('ada@example.com@evil.org')],
  ['an address with the domain in quotes of', of('"ada@example.com"@evil.org')],
  ['an address that is the domain alone of', of('example.com')],
  ['an address with letters that look the same of', of('ada@ex\u0430mple.com')],
  ['several addresses of', of(['ada@example.com'])],
  ['an address that says who else it is of', of('ada@evil.org <ada@example.com>')],
  ['another group of', { groups: ['other'] }],
  ['another group as a text of', { groups: 'other' }],
  ['several groups in one text of', { groups: 'staff,other' }],
  ['the group in capitals of', { groups: ['STAFF'] }],
  ['a group that begins the same of', { groups: ['staff-of-others'] }],
  ['a group inside another list of', { groups: [['staff']] }],
  ['groups by their names of', { groups: { staff: true } }],
  ['no groups of', { groups: [] }],
  ['the group, and has signed that it is another one, of', { groups: ['staff'] }, { groups: ['other'] }]
]

for (const [what, info, claims] of outside)
  test(`somebody is not let in where the provider says ${what} them`, async () => {
    newcomer({ ...info }, { ...claims })
    await assertRefused(setting, NOT_LET_IN, (browser) => browser.signIn())
  })

const inside: readonly (readonly [what: string, info: object, claims?: object])[] = [
  ['an address that it has verified', of('ada@example.com')],
  ['an address in capitals', of('ADA@EXAMPLE.COM')],
  ['the group', { groups: ['other', 'staff'] }],
  ['the group as a text', { groups: 'staff' }],
  ['the group, in the ID token alone', {}, { groups: ['staff'] }],
  ['the group, and an address elsewhere', { ...of('ada@evil.org'), groups: ['staff'] }]
]

for (const [what, info, claims] of inside)
  test(`somebody is let in where the provider says ${what}`, async () => {
    newcomer({ ...info }, { ...claims })
    const back = await setting.browser().signIn()
    assert.is(back.status, 302, await back.text())
  })

/** What the provider says later of somebody who was let in by their group, and whether what they have goes on. */
const laterOn: readonly (readonly [what: string, info: object, goesOn: boolean, claims?: object])[] = [
  ['the group', { groups: ['other', 'staff'] }, true],
  ['nothing of groups', { groups: undefined }, true],
  ['nothing of groups, and an address elsewhere', { groups: undefined, ...of('ada@evil.org') }, true],
  ['that there are too many groups to name', { groups: undefined }, true, { _claim_names: { groups: 'src1' } }],
  ['null of groups', { groups: null }, true],
  ['no group, and an address in the domain', { groups: [], ...of('ada@example.com') }, true],
  ['no group', { groups: [] }, false],
  ['another group', { groups: ['other'] }, false],
  ['another group, in the ID token alone', { groups: undefined }, false, { groups: ['other'] }]
]

for (const [what, info, goesOn, claims] of laterOn) {
  const kept = [goesOn ? 200 : 401, goesOn ? 200 : 401]
  const all = `all that somebody has ${goesOn ? 'goes on' : 'ends'} where the provider says ${what}`
  const letIn = async () => {
    newcomer({ groups: ['staff'] })
    const { says } = setting.provider
    setting.provider.says = { ...says, refreshes: true }
    const browser = setting.browser()
    assert.is((await browser.signIn()).status, 302)
    const made = await browser.ask('POST', '/auth/tokens', { body: { name: 'Program' } })
    const { secret } = z.object({ secret: z.string() }).parse(await made.json())
    setting.provider.says = {
      ...{ refreshes: true, claims: { ...says.claims, ...claims } },
      userInfo: { ...says.userInfo, ...info }
    }
    const token = async () => (await setting.hub.send({ method: 'GET', path: '/auth/session', token: secret })).status
    return async () => [(await browser.ask('GET', '/auth/session')).status, await token()]
  }

  test(`${all} as it is asked again`, async () => {
    const statuses = await letIn()
    now_ms += MINUTES * 60_000
    const { ledger, signIn } = setting.hub.hub
    assert.ok(signIn)
    await recheckSessions(ledger, signIn, MINUTES)
    assert.equal(await statuses(), kept)
  })

  test(`${all} at another sign-in`, async () => {
    const statuses = await letIn()
    await setting.browser().signIn()
    assert.equal(await statuses(), kept)
  })
}

test('whoever is in the group no more is signed out everywhere when they sign in again', async () => {
  newcomer({ groups: ['staff'] })
  const browser = setting.browser()
  await browser.signIn()
  const { says } = setting.provider
  setting.provider.says = { ...says, userInfo: { ...says.userInfo, groups: [] } }
  const again = setting.browser()
  assert.is((await again.signIn()).status, 403)
  for (const one of [browser, again]) assert.is((await one.ask('GET', '/auth/session')).status, 401)
})

test.run()
