import * as assert from 'uvu/assert'
import type { Access as RouteAccess } from '../../src/http/access.js'
import { suite } from '../support/suite.js'
import { postgres, sqlite } from './drivers.js'
import { addressOf, type Endpoint, type Sample, statusFor, WHO, type Who } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { everything, succeeded, type World } from './world.js'

/** A hub, and the secrets of those who are told apart by what they are. */
interface People {
  readonly world: World
  readonly secrets: Readonly<Record<string, string>>
}

async function peopleOf(world: World): Promise<People> {
  const [revoked, nothing, all] = await Promise.all([world.user(everything), world.user(), world.user(everything)])
  const [ofAccounts, auditor] = await Promise.all([world.user({}, 'accountAdmin'), world.user({}, 'auditor')])
  await world.hub.run({ type: 'RevokeToken', id: revoked.tokenId })
  const secrets = {
    'an unknown token': `${world.owner.token.slice(0, -3)}xyz`,
    'a revoked token': revoked.token,
    'a user without access': nothing.token,
    'a user with *': all.token,
    'the creator': world.owner.token,
    'an administrator': world.admin.token,
    'an administrator of accounts': ofAccounts.token,
    'an auditor': auditor.token
  }
  return { world, secrets }
}

const TEXTS: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden' }

const headersFor = async (
  { world, secrets }: People,
  who: Who,
  { scope = {} }: Sample
): Promise<Record<string, string>> => {
  if (who === 'no token') return {}
  if (who === 'a malformed token') return { authorization: `Bearer ${world.owner.token} twice` }
  const token = who === 'a user with this id' ? (await world.user(scope)).token : secrets[who]
  return { authorization: `Bearer ${token}` }
}

/** Whoever shows a token that was revoked is told so; the text is that of every other. */
const challengeFor = (who: Who) =>
  who === 'a revoked token' ? 'Bearer error="invalid_token", error_description="The token was revoked."' : 'Bearer'

async function ask(people: People, endpoint: Endpoint, who: Who, sample: Sample): Promise<void> {
  const { world } = people
  const expected = statusFor(endpoint, who)
  const headers = await headersFor(people, who, sample)
  const send = () => world.hub.send({ ...addressOf(endpoint, sample), body: sample.body, headers })
  if (expected < 400) return assert.is(succeeded(await send()).status, expected, who)
  const reply = await world.refused(expected, send, endpoint.texts?.[who] ?? TEXTS[expected])
  assert.is(reply.headers['www-authenticate'], expected === 401 ? challengeFor(who) : undefined, who)
}

for (const driver of [sqlite, postgres]) {
  let people: People
  const test = hubSuite('who may do what', driver, async (world) => {
    people = await peopleOf(world)
  })
  for (const endpoint of endpoints) {
    test(`${endpoint.row} by ${WHO.map((who) => `${who} ${statusFor(endpoint, who)}`).join(', ')}`, async () => {
      // What is refused changes nothing, so one sample serves all who are.
      const untouched = await endpoint.sample(people.world)
      const refused = WHO.filter((who) => statusFor(endpoint, who) >= 400)
      for (const who of refused) await ask(people, endpoint, who, untouched)
      for (const who of WHO.filter((who) => !refused.includes(who)))
        await ask(people, endpoint, who, await endpoint.sample(people.world))
    })
  }
  test.run()
}

/** Whom routes serve by their address: the first that fits, and where none does users. */
const BY_ADDRESS: readonly (readonly [RegExp, RouteAccess['who']])[] = [
  [/^GET \/($|health|readyz|metrics|openapi\.json|docs|console|join)|^POST \/auth\/invitations\//, 'public'],
  [/^\w+ \/(auth\/(sign-in($|\/)|device)|oauth\/|\.well-known\/)/, 'public'],
  [/^\w+ \/auth\/(session|tokens|sign-ins|sign-out|profile|users|hub|questions)|^GET \/plugins/, 'account'],
  [/^\w+ \/(auth\/desktop-link|changes|llm|admin\/llm\/models|webhooks|devices|search)/, 'any'],
  [/^GET \/(collections|environments|snippets|live-servers|live-pages|run-results)$/, 'any'],
  [/^\w+ \/(collections|environments|snippets|live-servers|live-pages)\/:id\/sharing/, 'any'],
  [/^DELETE \/(discussion-comments|discussion-mls\/group-state)\//, 'any'],
  [/^\w+ \/admin\/users\/:id\/devices/, 'admin'],
  [/^\w+ \/admin\/(users|invited-users|tokens|sign-ins|groups|invitations)/, 'people'],
  [/^\w+ \/scim\//, 'people'],
  [/^\w+ \/v1\//, 'any'],
  [/^\w+ \/admin\/audit/, 'audit'],
  [/^\w+ \/admin\//, 'admin']
]

const declaring = suite('whom routes serve')

declaring('a route declares that it serves whom its address says', () => {
  for (const { row, route } of endpoints) {
    const [, who = 'user'] = BY_ADDRESS.find(([pattern]) => pattern.test(row)) ?? []
    assert.is(route.description.access.who, who, row)
  }
})

declaring.run()
