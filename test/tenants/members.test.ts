import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { StateStore } from '../../src/storage/storage.js'
import { MEMBERS_KEY, type Member, Members } from '../../src/tenants/members.js'
import { ownerOf } from '../../src/tenants/owner.js'
import { Vouching } from '../../src/tenants/vouching.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const test = suite('processes that share tenants')
const TENANTS = Array.from({ length: 300 }, (_, i) => `team-${i}`)
const QUICK = { beat_ms: 20, silence_ms: 1000 }
const made: Members[] = []

function memberOf({ publicKey }: Pick<Vouching, 'publicKey'> = new Vouching()): Member {
  return { id: randomUUID(), host: '127.0.0.1', port: 1, publicKey }
}

async function joined(state: StateStore, gone: (member: Member) => void = () => {}) {
  const self = memberOf()
  const members = new Members(self, () => state, { failed() {}, gone }, QUICK)
  await members.join()
  made.push(members)
  return { self, members }
}

const ids = (members: Members) => members.all.map(({ id }) => id).toSorted()

test.after.each(async () => {
  for (const one of made.splice(0)) await one.leave()
})

test('every tenant has one owner, about as many each, whoever asks and in whatever order', () => {
  const members = Array.from({ length: 4 }, () => memberOf())
  const counts = new Map<string | undefined, number>()
  for (const tenant of TENANTS) {
    const owner = ownerOf(tenant, members)
    assert.is(ownerOf(tenant, members.toReversed()), owner)
    counts.set(owner?.id, (counts.get(owner?.id) ?? 0) + 1)
  }
  assert.is(counts.size, 4)
  assert.ok(Math.min(...counts.values()) > 35, JSON.stringify([...counts.values()]))
  assert.is(ownerOf('any', []), null)
})

test('where a process goes, no tenant changes hands but its own', () => {
  const members = Array.from({ length: 4 }, () => memberOf())
  const [lost, ...left] = members
  for (const tenant of TENANTS) {
    const before = ownerOf(tenant, members)
    if (before !== lost) assert.is(ownerOf(tenant, left), before)
  }
})

test('processes come to know one another, and who leaves is known to have left', async () => {
  const { state } = openMemory()
  const [one, other, third] = [await joined(state), await joined(state), await joined(state)]
  const all = [one, other, third].map(({ self }) => self.id).toSorted()
  for (const { members } of [one, other, third]) while (members.all.length < 3) await sleep(5)
  for (const { members } of [one, other, third]) assert.equal(ids(members), all)
  const owned = TENANTS.filter((tenant) => one.members.ownerOf(tenant) === null)
  assert.ok(owned.length > 50)
  assert.ok(owned.every((tenant) => other.members.ownerOf(tenant)?.id === one.self.id))
  await third.members.leave()
  while (one.members.all.length > 2) await sleep(5)
})

test('who is silent is forgotten after a while, by whatever clock, and told of', async () => {
  const { state } = openMemory()
  const gone: string[] = []
  const { members } = await joined(state, ({ id }) => gone.push(id))
  const entry = await state.get(MEMBERS_KEY)
  const silent = { ...memberOf(), beat: 7 }
  const text = JSON.stringify({ members: [...JSON.parse(entry?.text ?? '{}').members, silent] })
  assert.ok(await state.put(MEMBERS_KEY, text, entry?.mark ?? null))
  while (members.all.length < 2) await sleep(5)
  const since = performance.now()
  while (members.all.length > 1) await sleep(5)
  assert.ok(performance.now() - since > 500)
  assert.equal(gone, [silent.id])
})

test('while the database does not answer nobody is forgotten, nor just after', async () => {
  const { state } = openMemory()
  let isAway = false
  const get = (key: string) => (isAway ? Promise.reject(new Error('away')) : state.get(key))
  const gone: string[] = []
  const [one, other] = [await joined({ ...state, get }, ({ id }) => gone.push(id)), await joined({ ...state, get })]
  while (one.members.all.length < 2 || other.members.all.length < 2) await sleep(5)
  isAway = true
  await sleep(2 * QUICK.silence_ms)
  isAway = false
  await sleep(QUICK.silence_ms)
  assert.equal([gone, one.members.all.length], [[], 2])
})

test('who has come just now is found, before any beat', async () => {
  const { state } = openMemory()
  const slow = new Members(memberOf(), () => state, { failed() {}, gone() {} }, { beat_ms: 60_000, silence_ms: 60_000 })
  await slow.join()
  made.push(slow)
  const { self } = await joined(state)
  const before = await state.get(MEMBERS_KEY)
  assert.is((await slow.find(self.id))?.publicKey, self.publicKey)
  assert.is(await slow.find(randomUUID()), null)
  assert.is((await state.get(MEMBERS_KEY))?.text.includes('"beat":2'), before?.text.includes('"beat":2'))
})

test('who could not be reached is passed over for a while', async () => {
  const { state } = openMemory()
  const [one, other] = [await joined(state), await joined(state)]
  while (one.members.all.length < 2) await sleep(5)
  const tenant = TENANTS.find((name) => one.members.ownerOf(name)?.id === other.self.id) ?? ''
  one.members.avoid(other.self)
  assert.is(one.members.ownerOf(tenant), null)
})

test('a process believes what a member says to it of a request, and nothing else', async () => {
  const [from, to, stranger] = [new Vouching(), new Vouching(), new Vouching()]
  const [self, other, third] = [memberOf(from), memberOf(to), memberOf()]
  const find = async (id: string) => [self, third].find((one) => one.id === id) ?? null
  const request = { address: '203.0.113.7', method: 'GET', url: '/collections' }
  const now = Date.now()
  const text = from.header(self.id, other, request, now)
  const believed = (header: string, about = request, at = now) => to.addressIn(header, find, about, at)
  assert.is(await believed(text), '203.0.113.7')
  const forged = [
    text.replace('203.0.113.7', '203.0.113.8'),
    text.replace(self.id, third.id),
    text.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    stranger.header(self.id, other, request, now),
    from.header(randomUUID(), other, request, now),
    from.header(self.id, third, request, now),
    '',
    'x'.repeat(300)
  ]
  for (const header of forged) assert.is(await believed(header), null, header)
  assert.is(await believed(text, { ...request, url: '/admin/users' }), null)
  assert.is(await believed(text, request, now + 61_000), null)
})

test.run()
