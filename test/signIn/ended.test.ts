import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { records, text } from '../http/client.js'
import { postgres } from '../http/drivers.js'
import { startBeside } from '../http/support.js'
import { succeeded } from '../http/world.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'
import type { Browser } from './browser.js'
import { aHubWithProvider, type Setting } from './setting.js'

/**
 * Sessions of one person at two hubs of one database, and tokens that they have made in them, each with a feed, that go on asking until
 * they are ended: nobody is served once after what ended them was acknowledged, at whichever hub.
 */
const test = suite('sessions that are ended at two hubs', { needs: postgres.needs })
const CLIENTS = isFull ? 200 : 40
let setting: Setting
let beside: Awaited<ReturnType<typeof startBeside>>

test.before(async () => {
  setting = await aHubWithProvider({ allowedGroups: ['staff'] }, undefined, {}, postgres)
  beside = await startBeside(setting.hub)
})
test.after(() => beside.close())

interface Person {
  readonly id: string
  readonly sub: string
}

const post = (path: string, token: string | null, body: object = {}) =>
  setting.hub.send({ method: 'POST', path, body, ...(token !== null && { token }) })
const admin = () => setting.world.by(setting.world.admin)

const ways: readonly (readonly [how: string, end: (person: Person) => Promise<unknown>])[] = [
  ['disabled', async ({ id }) => succeeded(await admin().post(`/admin/users/${id}/disable`))],
  ['deleted', async ({ id }) => succeeded(await admin().delete(`/admin/users/${id}`))],
  [
    'made inactive by a directory',
    async ({ id }) => {
      const off = { Operations: [{ op: 'replace', path: 'active', value: false }] }
      succeeded(await admin().patch(`/scim/v2/Users/${id}`, off))
    }
  ],
  [
    'logged out by the provider',
    async ({ sub }) => {
      const body = new URLSearchParams({ logout_token: await setting.provider.logoutToken({ sub }) })
      const { status } = await fetch(`${setting.hub.url}/auth/sign-in/company/logout`, { method: 'POST', body })
      assert.is(status, 204)
    }
  ],
  [
    'in the allowed group no more',
    async ({ sub }) => {
      says(sub, [])
      assert.is(await signedIn(setting.browser()), 403)
    }
  ]
]

/** What becomes of a sign-in. A provider or a database that is too busy to answer in time is asked again: that is no answer. */
async function signedIn(browser: Browser): Promise<number> {
  for (;;) {
    const { status } = await browser.signIn()
    if (status !== 503) return status
  }
}

function says(sub: string, groups: readonly string[]): void {
  setting.provider.says = { claims: { sub }, userInfo: { sub, name: sub, groups } }
}

/** A session that goes on asking who it is, and follows what happens. */
interface Client {
  /** When each request was sent that was served. */
  readonly served: readonly number[]
  /** What its feed has told, once that has ended. */
  readonly feed: Promise<string>
  /** Resolves when it is refused. */
  readonly refused: Promise<void>
}

/** A feed, asked for again where the database is too busy to say who asks. */
async function opened(url: string, headers: Record<string, string>): Promise<Response> {
  for (;;) {
    const feed = await fetch(`${url}/changes`, { headers })
    if (feed.status === 200) return feed
    assert.is(feed.status, 503)
    await feed.text()
  }
}

/** What a feed has told until it ended, or broke off, as it does where the database is too busy. */
async function toldBy({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  const read = async () => {
    for await (const part of body ?? []) parts.push(part)
  }
  await read().catch(() => {})
  return Buffer.concat(parts).toString()
}

async function client(secret: string, url: string): Promise<Client> {
  const headers = { authorization: `Bearer ${secret}` }
  const served: number[] = []
  const feed = await opened(url, headers)
  const isServed = async () => {
    const sent = performance.now()
    const { status } = await fetch(`${url}/auth/session`, { headers })
    if (status === 401) return false
    // Where the database is too busy to say who asks, nobody is served.
    assert.ok(status === 200 || status === 503, `${status}`)
    if (status === 200) served.push(sent)
    return true
  }
  const asking = async () => {
    while (await isServed()) await setTimeout(5)
  }
  while (served.length === 0) assert.ok(await isServed())
  return { served, feed: toldBy(feed), refused: asking() }
}

for (const [place, [how, end]] of ways.entries())
  test(`whoever is ${how} is served nowhere after that was acknowledged`, async () => {
    const sub = `person-${place}`
    says(sub, ['staff'])
    const sessions = await Promise.all(
      Array.from({ length: CLIENTS / 2 }, async () => {
        const browser = setting.browser()
        assert.is(await signedIn(browser), 302)
        return browser.cookies.get('hub_session') ?? ''
      })
    )
    const users = records(await admin().get('/admin/users'), 'users')
    const id = text(
      users.find(({ name }) => name === sub),
      'id'
    )
    succeeded(await admin().put(`/admin/users/${id}`, { collectionAccess: ['*'] }))
    const own = await Promise.all(
      sessions.map(async (session, i) => {
        const made = await post('/auth/tokens', session, { name: `Program ${i}` })
        return text(succeeded(made).body, 'secret')
      })
    )
    const [session = ''] = sessions
    const link = text(succeeded(await post('/auth/desktop-link', session)).body, 'secret')
    const secrets = sessions.flatMap((one, i) => [one, own[i] ?? ''])
    const clients = await Promise.all(secrets.map((one, i) => client(one, i % 4 < 2 ? setting.hub.url : beside.url)))
    await end({ id, sub })
    const ended = performance.now()
    const later = await setting.world.collection()
    await Promise.all(clients.map(({ refused }) => refused))
    assert.equal(
      clients.flatMap(({ served }) => served.filter((sent) => sent > ended)),
      [],
      'nobody was served'
    )
    for (const { feed } of clients) assert.not.match(await feed, later)
    // A link to the desktop that was not used yet gives nobody a token any more.
    const redeemed = await post('/auth/invitations/redeem', null, { secret: link })
    assert.ok([404, 410].includes(redeemed.status), `${redeemed.status}`)
  })

test.run()
