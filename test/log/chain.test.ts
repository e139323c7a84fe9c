import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { canonicalJson } from '../../src/log/canonical.js'
import { GENESIS, isIntact, link, seal, sha256 } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { suite } from '../support/suite.js'

const test = suite('chain')

const envelope: Omit<StoredEvent, 'chain'> = {
  position: 7,
  stream: 'item-a',
  version: 2,
  type: 'ItemChanged',
  schema: 1,
  at: '2026-01-01T00:00:00.000Z',
  commandId: 'command',
  actorId: 'actor',
  tokenId: 'token',
  requestId: null,
  correlationId: null,
  causation: null,
  who: seal('{"address":null,"name":"Ada"}'),
  payload: seal('{"size":1}')
}
const event: StoredEvent = { ...envelope, chain: link(GENESIS, envelope) }

test('an event verifies against the chain before it', () => {
  assert.is(link(GENESIS, event), event.chain)
  assert.match(event.chain, /^[0-9a-f]{64}$/)
})

test('the chain of an envelope that was written once is what it was then', () => {
  const sealed = { text: null, salt: null, commitment: 'c'.repeat(64) }
  assert.is(
    link(GENESIS, { ...envelope, who: sealed, payload: { ...sealed, commitment: 'd'.repeat(64) } }),
    '84b3d87a7f5d7cb31e032d80ae33b143e4c21ec2e12862543e8132fba4ae6d17'
  )
})

test('an envelope enters the chain as its canonical JSON, whatever its texts hold', () => {
  const text = fc.string({ unit: 'binary' })
  const maybe = fc.option(text)
  const number = fc.nat({ max: Number.MAX_SAFE_INTEGER })
  const sealed = text.map((commitment) => ({ text: null, salt: null, commitment }))
  const envelopes: fc.Arbitrary<Omit<StoredEvent, 'chain'>> = fc.record({
    position: number,
    stream: text,
    version: number,
    type: text,
    schema: number,
    at: text,
    commandId: text,
    actorId: text,
    tokenId: maybe,
    requestId: maybe,
    correlationId: maybe,
    causation: fc.option(number),
    who: sealed,
    payload: sealed
  })
  fc.assert(
    fc.property(envelopes, (one) => {
      const flat = canonicalJson({ ...one, who: one.who.commitment, payload: one.payload.commitment })
      assert.is(link(GENESIS, one), sha256(`${GENESIS}\n${flat}`))
    }),
    { seed: 20260301 }
  )
})

test('any field that is changed is noticed', () => {
  const changes: Partial<StoredEvent>[] = [
    { position: 8 },
    { stream: 'item-b' },
    { version: 3 },
    { type: 'ItemGone' },
    { schema: 2 },
    { at: '2026-01-01T00:00:00.001Z' },
    { commandId: 'other' },
    { actorId: 'other' },
    { tokenId: null },
    { requestId: 'r' },
    { correlationId: 'c' },
    { causation: 1 },
    { who: seal('{"address":null,"name":"Ada"}') },
    { payload: seal('{"size":1}') }
  ]
  for (const change of changes)
    assert.is.not(link(GENESIS, { ...event, ...change }), event.chain, JSON.stringify(change))
})

test('another past gives another chain', () => {
  assert.is.not(link(sha256('another past'), event), event.chain)
})

test('an erased text leaves the chain as it is and cannot be held against it', () => {
  const erased = { ...event, payload: { ...event.payload, text: null, salt: null } }
  assert.is(link(GENESIS, erased), event.chain)
  assert.ok(isIntact(erased.payload))
})

test('a sealed text that is changed is noticed, and so is its salt', () => {
  assert.ok(isIntact(event.payload))
  assert.not(isIntact({ ...event.payload, text: '{"size":2}' }))
  assert.not(isIntact({ ...event.payload, salt: '00'.repeat(16) }))
})

test('the same text is sealed differently each time, so that a seal tells nothing', () => {
  const [one, other] = [seal('secret'), seal('secret')]
  assert.is.not(one.commitment, other.commitment)
  assert.is.not(one.salt, other.salt)
})

test.run()
