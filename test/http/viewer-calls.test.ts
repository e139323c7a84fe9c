import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { lockables } from '../../commands/records/kinds.js'
import { digestsOf } from '../../projections/digest.js'
import { randomOf } from '../faults/random.js'
import { isFull } from '../support/full.js'
import { text } from './client.js'
import { sqlite } from './drivers.js'
import { addressOf, type Endpoint, type Sample } from './endpoint.js'
import { endpoints } from './endpoints/index.js'
import { hubSuite } from './hub-suite.js'
import { succeeded, type World } from './world.js'

/** What all of them together come to; single ones are in viewers.test.ts. */
const CALLS = isFull ? 20_000 : 2000
const SEED = 20_261

let world: World
const test = hubSuite('a viewer who calls anything in any order', sqlite, (made) => {
  world = made
})

/** What holds records and what is said of them: all else a viewer has of their own. */
const RECORDS = new Set([
  ...['collections', 'environments', 'snippets', 'liveServers', 'livePages', 'folders', 'requests', 'documents'],
  ...['runResults', 'runPayloads', 'comments', 'departures', 'users', 'groups', 'members']
])

async function digests() {
  const { storage } = world.hub.hub.ledger
  const all = await storage.snapshot((live) => digestsOf(live, () => createHash('sha256')))
  return all.filter(({ table }) => RECORDS.has(table))
}

/** What changes only what is the caller's own: their tokens, avatar, devices, webhooks and results of runs; and models, which this hub has none of. */
const OWN = /\/auth\/|\/devices|\/webhooks|\/discussion-mls\/|^POST \/(mcp|run-results$)|\/llm\/|\/v1\//

test(`${CALLS} of their calls change no record, whatever they name`, async () => {
  const called = endpoints.filter(({ row, access }) => access !== 'public' && !OWN.test(row))
  const samples: { readonly endpoint: Endpoint; readonly sample: Sample }[] = []
  for (const endpoint of called) samples.push({ endpoint, sample: await endpoint.sample(world) })
  const viewer = await viewerOf(samples.map(({ sample }) => sample))
  const draw = randomOf(SEED)
  const before = await digests()
  const statuses = new Map<number, number>()
  for (let i = 0; i < CALLS; i += 20) {
    const batch = Array.from({ length: 20 }, () => {
      const { endpoint, sample } = draw.pick(samples)
      // As it is for its route, or with the ids or the body of another one.
      const params = draw.below(10) < 3 ? { ...sample.params, ...draw.pick(samples).sample.params } : sample.params
      const body = draw.below(10) < 2 ? draw.pick(samples).sample.body : sample.body
      const address = addressOf(endpoint, { ...sample, ...(params && { params }) })
      return world.hub.send({ ...address, token: viewer, ...(address.method !== 'GET' && { body }) })
    })
    for (const { status } of await Promise.all(batch)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const after = await digests()
  const changed = after.filter(({ table, sha256 }) => sha256 !== before.find((one) => one.table === table)?.sha256)
  assert.equal(changed, [], 'no table holds anything else')
  const worst = [...statuses.keys()].filter((status) => status >= 500)
  assert.equal(worst, [], 'no call has failed')
  assert.ok(
    (statuses.get(200) ?? 0) > CALLS / 20 && (statuses.get(403) ?? 0) > CALLS / 20,
    'some were let in, some not'
  )
})

/** The secret of somebody who may look at all that these are about, half by a group and half by themselves, and change nothing. */
async function viewerOf(samples: readonly Sample[]): Promise<string> {
  const grants = lockables.flatMap(({ kind, access }) =>
    [...new Set(samples.flatMap(({ scope = {} }) => scope[access] ?? []))]
      .filter((id) => id !== '*')
      .map((id) => ({ kind, id, role: 'viewer' }))
  )
  const user = await world.user()
  const by = world.by(world.admin)
  const there = []
  for (const grant of grants) {
    const { status } = await by.put(`/admin/users/${user.id}/grants`, { grants: [grant] })
    if (status === 204) there.push(grant)
  }
  const half = Math.floor(there.length / 2)
  succeeded(await by.put(`/admin/users/${user.id}/grants`, { grants: there.slice(0, half) }))
  const { body } = succeeded(await by.post('/admin/groups', { name: 'Viewers', grants: there.slice(half) }))
  succeeded(await by.put(`/admin/groups/${text(body, 'id')}/members/${user.id}`))
  return user.token
}

test.run()
