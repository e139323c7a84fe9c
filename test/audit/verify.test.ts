import { join } from 'node:path'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { makeKey } from '../../src/lib/keyFile.js'
import { GENESIS, link, NO_KEYS, seal } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { readKeyring, type SealKeyFiles } from '../../src/trust/audit/sealKey.js'
import { type LogSource, verifyChain } from '../../src/trust/audit/verify.js'
import { ChainWalk } from '../../src/trust/audit/walk.js'
import { seal as sealLog } from '../../src/trust/seal.js'
import { temporaryDirectory } from '../support/databases.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'

const SEED = 20260301
const test = suite(`verification of the chain (seed ${SEED})`)

const LENGTH = 60
const written = logOf(LENGTH)
const last = at(LENGTH - 1)

function at(i: number): StoredEvent {
  const event = written[i]
  if (!event) throw new Error(`The log has no index ${i}.`)
  return event
}

/** A log in which every event follows the one before it. */
function logOf(length: number): readonly StoredEvent[] {
  const events: StoredEvent[] = []
  for (let position = 1; position <= length; position++) {
    const event = {
      position,
      stream: `collection-${position % 7}`,
      version: position,
      type: 'CollectionUpdated',
      schema: 1,
      at: `2026-03-01T00:00:${String(position % 60).padStart(2, '0')}.000Z`,
      commandId: `command-${position}`,
      actorId: 'ada',
      tokenId: 'token',
      requestId: null,
      correlationId: null,
      causation: null,
      who: seal('{"address":"127.0.0.1","name":"Ada"}'),
      payload: seal(`{"name":"${position}"}`)
    }
    events.push({ ...event, chain: link(events.at(-1)?.chain ?? GENESIS, event) })
  }
  return events
}

/** A log as storage hands it out: ordered by position, with the end recorded beside it. */
function source(events: readonly StoredEvent[], end: StoredEvent = last): LogSource {
  const readLog = async (after: number, limit: number) =>
    events.filter(({ position }) => position > after).slice(0, limit)
  return {
    head: async () => ({ position: end.position, chain: end.chain, at: end.at, generation: 1 }),
    readLog,
    readHeaders: readLog
  }
}

/** Each takes the log and an index and returns what an intruder leaves, and the first position that is not as written. */
const tamperings: Readonly<Record<string, (i: number) => readonly [readonly StoredEvent[], number]>> = {
  'another payload': (i) => edited(i, (event) => ({ ...event, payload: { ...event.payload, text: '{"name":"x"}' } })),
  'another payload, sealed anew': (i) => edited(i, (event) => ({ ...event, payload: seal('{"name":"x"}') })),
  'another name': (i) =>
    edited(i, (event) => ({ ...event, who: { ...event.who, text: '{"address":null,"name":"Eve"}' } })),
  'another actor': (i) => edited(i, (event) => ({ ...event, actorId: 'eve' })),
  'another time': (i) => edited(i, (event) => ({ ...event, at: '2020-01-01T00:00:00.000Z' })),
  'another chain': (i) => edited(i, (event) => ({ ...event, chain: GENESIS })),
  'sealed and linked anew': (i) =>
    edited(
      i,
      (event) => {
        const forged = { ...event, actorId: 'eve' }
        return { ...forged, chain: link(written[i - 1]?.chain ?? GENESIS, forged) }
      },
      1
    ),
  removed: (i) => [written.filter((_, index) => index !== i), i + 1],
  'removed, and the rest moved up': (i) => [
    written.filter((_, index) => index !== i).map((event, index) => ({ ...event, position: index + 1 })),
    i + 1
  ],
  'exchanged with the next': (i) => {
    const [one, next] = [written[i], written[i + 1]]
    if (!one || !next) return [written.slice(0, i), i + 1]
    return [written.with(i, { ...next, position: i + 1 }).with(i + 1, { ...one, position: i + 2 }), i + 1]
  },
  inserted: (i) => [
    written.toSpliced(i, 0, at(0)).map((event, index) => ({ ...event, position: index + 1 })),
    // A copy of the first event before the first event is the first event: the fault shows one further on.
    i === 0 ? 2 : i + 1
  ]
}

/** One event changed. `later` is 1 for a forgery that only the next event gives away, or the recorded end. */
function edited(i: number, change: (event: StoredEvent) => StoredEvent, later = 0) {
  return [written.map((event, index) => (index === i ? change(event) : event)), i + 1 + later] as const
}

test('a log that nobody touched holds, and says where it ends', async () => {
  assert.equal(await verifyChain(source(written)), { position: LENGTH, chain: last.chain, bad: null, sealed: null })
})

test('a text that is gone, and no event tells why, is found like any other tampering', async () => {
  const [events] = edited(3, (event) => ({
    ...event,
    payload: { ...event.payload, text: null, salt: null },
    who: { ...event.who, text: null, salt: null }
  }))
  assert.equal((await verifyChain(source(events))).bad, {
    position: 4,
    reason: 'What this event held was erased, and no event of the log tells by whom.'
  })
})

test('each of 1,000 random tamperings is found, and the position named is the first that is not as written', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.entries(tamperings)),
      fc.nat({ max: LENGTH - 1 }),
      async ([name, tamper], i) => {
        const [events, position] = tamper(i)
        const { bad } = await verifyChain(source(events))
        assert.is(bad?.position, position, `${name} at ${i + 1}: ${bad?.reason}`)
      }
    ),
    { seed: SEED, numRuns: 1000 }
  ))

test('an event that is missing, comes twice or too early is told as such, also where the key of its link is not at hand', () => {
  const { position, chain, at: time } = at(9)
  const start = { head: { position, chain, at: time, generation: 1 }, sealed: { keyId: 'elsewhere', from: 5 } }
  for (const means of [{ start, passesUnknownKeys: true }, { start: { ...start, sealed: null } }]) {
    const walk = new ChainWalk(NO_KEYS, means)
    const missing = 'The event is missing: removed, or under another position.'
    const taken = [at(10), at(12), at(10), at(9), at(11), at(12)].map((event) => walk.take(event))
    assert.equal(taken, [null, missing, missing, missing, null, null])
    assert.is(walk.head.position, 13)
  }
})

test('a log that ends sealed with a former key is an older state that was put back', async () => {
  const { path } = await temporaryDirectory()
  const [former, inForce] = [join(path, 'one'), join(path, 'two')]
  const storage = openMemory()
  await migrate(storage)
  await sealLog(storage, former, () => Date.now())
  makeKey(inForce)
  const reason = async (files: SealKeyFiles) => (await verifyChain(storage, { keys: readKeyring(files) })).bad?.reason
  assert.is(await reason({ sealKeyFile: former, formerSealKeyFiles: [] }), undefined)
  assert.match(
    (await reason({ sealKeyFile: inForce, formerSealKeyFiles: [former] })) ?? '',
    /^The log ends sealed with the former key .*: an older state was put back\.$/
  )
})

test('of several checkpoints of one position each has to be what the log says', async () => {
  const right = { position: 10, chain: written[9]?.chain ?? '' }
  const wrong = { position: 10, chain: GENESIS }
  assert.is((await verifyChain(source(written), { checkpoints: [right, right] })).bad, null)
  for (const checkpoints of [
    [right, wrong],
    [wrong, right]
  ])
    assert.is((await verifyChain(source(written), { checkpoints })).bad?.position, 10)
})

test.run()
