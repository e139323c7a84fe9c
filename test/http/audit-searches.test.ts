import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { StoredEvent } from '../../src/log/event.js'
import { verifyChain } from '../../src/trust/audit/verify.js'
import { carryOut, planAccount } from '../../src/trust/erasure/erase.js'
import { eraseExpired } from '../../src/trust/erasure/retention.js'
import { records, text } from './client.js'
import { usualDrivers } from './drivers.js'
import { hubSuite, replayedRows } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded } from './world.js'

const ADDRESS = '203.0.113.9'
const server = { host: '127.0.0.1', port: 1, trustedProxies: ['127.0.0.0/8'] }

for (const driver of usualDrivers) {
  const { test, world } = hubSuite('who was searched for in the log', driver, { config: { server } })

  const log = () => world.hub.hub.ledger.storage.readLog(0, 10_000)
  const reads = async () => (await log()).filter(({ type }) => type === 'AuditRead')
  const search = async (query: Readonly<Record<string, string>>) => {
    const path = `/admin/audit?${new URLSearchParams(query)}`
    return records(succeeded(await world.by(world.admin).get(path)), 'entries')
  }
  const lastRead = async (): Promise<StoredEvent> => {
    const event = (await reads()).at(-1)
    assert.ok(event)
    return event
  }
  const holding = (events: readonly StoredEvent[], text: string) =>
    events.filter(({ who, payload }) => `${who.text}${payload.text}`.toLowerCase().includes(text.toLowerCase()))
  /** A person who has acted from an address of their own, and is no more. */
  const gone = async (name: string): Promise<Account> => {
    const person = await world.user({ collectionAccess: ['*'] })
    succeeded(await world.by(world.admin).put(`/admin/users/${person.id}`, { name }))
    const headers = { 'x-forwarded-for': ADDRESS }
    succeeded(await world.by(person).post('/collections', { name: 'Tales' }, headers))
    return person
  }

  test('names and addresses are in the sealed part of the event, beside the name of who searched', async () => {
    const person = await gone('Scheherazade')
    await search({ actor: 'scheherazade', address: ADDRESS, kind: 'collection', type: 'CollectionCreated' })
    const { payload, who } = await lastRead()
    const filter = { actor: person.id, kind: 'collection', type: 'CollectionCreated' }
    assert.equal(JSON.parse(payload.text ?? ''), { filter })
    const searched = { actor: 'scheherazade', address: ADDRESS }
    assert.equal(JSON.parse(who.text ?? ''), { address: '127.0.0.1', name: world.admin.name, searched })
    const [entry] = await search({ type: 'AuditRead', address: '127.0.0.1' })
    assert.equal(
      entry?.changes,
      [{ path: '', to: { filter: { ...filter, ...searched } } }],
      'it is shown as it was asked'
    )
    assert.is(text(entry?.actor, 'name'), world.admin.name)
  })

  test('a text that is no id, type, kind or time may be a name, and is sealed', async () => {
    await search({ id: 'Dinarzade', type: 'Dinarzade', request: 'Dinarzade', token: 'Dinarzade', actor: 'Dinarzade' })
    assert.equal(JSON.parse((await lastRead()).payload.text ?? ''), { filter: {} })
    const [id, token] = [randomUUID(), randomUUID()]
    await search({ id, token, from: '2020-01-01' })
    const { payload, who } = await lastRead()
    assert.equal(JSON.parse(payload.text ?? ''), { filter: { id, token, from: '2020-01-01T00:00:00.000Z' } })
    assert.not.match(who.text ?? '', /searched/)
  })

  test('facets are in the log as a search is, unless the same token has asked the same shortly before', async () => {
    const count = async () => (await reads()).length
    const facets = async (query: Readonly<Record<string, string>>, as = world.admin) =>
      succeeded(await world.by(as).get(`/admin/audit/facets?${new URLSearchParams(query)}`))
    const before = await count()
    await search({ actor: 'Morgiana', address: ADDRESS, kind: 'collection' })
    await facets({ kind: 'collection', address: ADDRESS, actor: 'Morgiana' })
    assert.is(await count(), before + 1, 'the search tells of both')
    await facets({ actor: 'Morgiana', kind: 'collection' })
    const { payload, who } = await lastRead()
    assert.equal(JSON.parse(payload.text ?? ''), { filter: { kind: 'collection' } })
    assert.equal(JSON.parse(who.text ?? '').searched, { actor: 'Morgiana' })
    await facets({ actor: 'Morgiana', kind: 'collection' })
    assert.is(await count(), before + 2, 'another question is another event, and once')
    await facets({ actor: 'Cassim', kind: 'collection' })
    await facets({})
    assert.is(await count(), before + 4)
    const made = await world.by(world.admin).post(`/admin/users/${world.admin.id}/tokens`, { name: 'another' })
    await facets({}, { ...world.admin, token: text(succeeded(made).body, 'secret') })
    assert.is(await count(), before + 5, 'by another token')
  })

  test('erasing a person leaves no trace of them in what administrators searched for', async () => {
    const person = await gone('Scheherazade of Samarkand')
    const { ledger } = world.hub.hub
    await search({ actor: 'Scheherazade of Samarkand' })
    await search({ actor: 'who is SCHEHERAZADE OF SAMARKAND?' })
    await search({ address: ADDRESS })
    await search({ actor: person.id })
    await search({ id: 'scheherazade of samarkand' })
    await search({ actor: 'Shahryar' })
    // As the first version wrote it: with the name and the address in the payload.
    const agent = { tokenId: world.admin.tokenId, address: null, requestId: null }
    const filters: readonly Readonly<Record<string, string>>[] = [
      { actor: 'Scheherazade of Samarkand' },
      { address: ADDRESS, type: 'X' },
      { actor: 'Shahryar' }
    ]
    for (const filter of filters) {
      await ledger.run({ type: 'RecordAuditRead', id: randomUUID(), data: { filter } }, agent)
    }
    assert.equal((await search({ type: 'AuditRead' }))[1]?.changes, [
      { path: '', to: { filter: { address: ADDRESS, type: 'X' } } }
    ])
    succeeded(await world.by(world.admin).delete(`/admin/users/${person.id}`))
    await search({ actor: 'Scheherazade of Samarkand' })
    await carryOut(ledger, await planAccount(ledger, person.id))
    const left = await reads()
    for (const text of ['Samarkand', ADDRESS]) assert.equal(holding(left, text), [])
    assert.is(holding(left, 'Shahryar').length, 2, 'others stay')
    assert.ok(holding(left, world.admin.name).length > 2)
    assert.is((await verifyChain(ledger.storage)).bad, null)
    await replayedRows(world)
    assert.ok((await search({ type: 'AuditRead' })).length >= left.length, 'the entries are still there')
  })

  test('the retention of names takes what was searched for with them', async () => {
    await search({ actor: 'Dunyazad' })
    const { ledger } = world.hub.hub
    await eraseExpired(ledger, 1, Date.now() + 2 * 86_400_000)
    assert.equal(holding(await log(), 'Dunyazad'), [])
    assert.is((await verifyChain(ledger.storage)).bad, null)
  })

  test.run()
}
