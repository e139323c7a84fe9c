import * as assert from 'uvu/assert'
import { sqlite } from './drivers.js'
import { addressOf, type Endpoint, type Sample, statusFor, WHO, type Who } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { everything, succeeded, type World } from './world.js'

let world: World
let secrets: Readonly<Record<string, string>>

// Roles and access are decided above the storage, so one driver tells it for all.
const test = hubSuite('who may do what', sqlite, async (made) => {
  world = made
  const [revoked, nothing, all] = await Promise.all([world.user(everything), world.user(), world.user(everything)])
  await world.hub.run({ type: 'RevokeToken', id: revoked.tokenId })
  secrets = {
    'an unknown token': `${world.owner.token.slice(0, -3)}xyz`,
    'a revoked token': revoked.token,
    'a user without access': nothing.token,
    'a user with *': all.token,
    'the creator': world.owner.token,
    'an administrator': world.admin.token
  }
})

const TEXTS: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden' }

const headersFor = async (who: Who, { scope = {} }: Sample): Promise<Record<string, string>> => {
  if (who === 'no token') return {}
  if (who === 'a malformed token') return { authorization: `Bearer ${world.owner.token} twice` }
  const token = who === 'a user with this id' ? (await world.user(scope)).token : secrets[who]
  return { authorization: `Bearer ${token}` }
}

// What is refused changes nothing, so one sample per endpoint serves all who are.
const untouched = new Map<Endpoint, Sample>()
const sampleFor = async (endpoint: Endpoint, isRefused: boolean): Promise<Sample> => {
  const known = isRefused ? untouched.get(endpoint) : undefined
  const sample = known ?? (await endpoint.sample(world))
  if (isRefused) untouched.set(endpoint, sample)
  return sample
}

const ask = async (endpoint: Endpoint, who: Who) => {
  const expected = statusFor(endpoint, who)
  const sample = await sampleFor(endpoint, expected >= 400)
  const headers = await headersFor(who, sample)
  const send = () => world.hub.send({ ...addressOf(endpoint, sample), body: sample.body, headers })
  if (expected < 400) return assert.is(succeeded(await send()).status, expected)
  const reply = await world.refused(expected, send, endpoint.texts?.[who] ?? TEXTS[expected])
  assert.is(reply.headers['www-authenticate'], expected === 401 ? 'Bearer' : undefined)
}

for (const endpoint of endpoints) {
  for (const who of WHO) {
    test(`${endpoint.row} by ${who}: ${statusFor(endpoint, who)}`, () => ask(endpoint, who))
  }
}

test.run()
