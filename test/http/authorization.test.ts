import * as assert from 'uvu/assert'
import type { Access as RouteAccess } from '../../src/http/access.js'
import { suite } from '../support/suite.js'
import { errorOf } from './client.js'
import { usualDrivers } from './drivers.js'
import { addressOf, type Endpoint, type Sample, sampleAgain } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { type People, peopleOf } from './people.js'
import { statusFor, textFor, WHO, type Who } from './who.js'
import { succeeded } from './world.js'

/** Whoever shows a token that was revoked, or is of an account that is disabled, is told so; the text is that of every other. */
const CHALLENGES: Partial<Readonly<Record<Who, string>>> = {
  'a revoked token': 'Bearer error="invalid_token", error_description="The token was revoked."',
  'a disabled account': 'Bearer error="invalid_token", error_description="The account is disabled."'
}

async function ask({ world, headers }: People, endpoint: Endpoint, who: Who, sample: Sample) {
  const sent = await headers(who, sample)
  return () => world.hub.send({ ...addressOf(endpoint, sample), body: sample.body, headers: sent })
}

/** All of them are refused, each as the tables have it, and nothing is changed. */
async function refused(people: People, endpoint: Endpoint, all: readonly Who[], sample: Sample): Promise<void> {
  const asking = []
  for (const who of all) asking.push({ who, send: await ask(people, endpoint, who, sample) })
  const before = people.world.position()
  const replies = await Promise.all(asking.map(async ({ who, send }) => ({ who, reply: await send() })))
  for (const { who, reply } of replies) {
    const expected = statusFor(endpoint, who)
    assert.is(reply.status, expected, `${who}: ${reply.status} ${reply.text}`)
    const text = textFor(endpoint, who, sample)
    if (text !== undefined) assert.is(errorOf(reply), text, who)
    assert.is(reply.headers['www-authenticate'], expected === 401 ? (CHALLENGES[who] ?? 'Bearer') : undefined, who)
  }
  assert.is(people.world.position(), before, 'a refusal has changed something')
}

for (const driver of usualDrivers) {
  let people: People
  const { test, world } = hubSuite('who may do what', driver)
  test.before(async () => {
    people = await peopleOf(world)
  })
  for (const endpoint of endpoints) {
    test(`${endpoint.row} by ${WHO.map((who) => `${who} ${statusFor(endpoint, who)}`).join(', ')}`, async () => {
      // What is refused changes nothing, so one sample serves all who are.
      const untouched = await endpoint.sample(people.world)
      const isRefused = (who: Who) => statusFor(endpoint, who) >= 400
      await refused(people, endpoint, WHO.filter(isRefused), untouched)
      for (const who of WHO.filter((who) => !isRefused(who))) {
        const sample = await sampleAgain(endpoint, untouched, people.world)
        const send = await ask(people, endpoint, who, sample)
        assert.is(succeeded(await send()).status, statusFor(endpoint, who), who)
      }
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
