import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { emitDocument } from '../../commands/records/document/events.js'
import { migrate } from '../../migrations/migrate.js'
import { openStorage } from '../../src/app/databases.js'
import { openLedger } from '../../src/app/openLedger.js'
import { seal } from '../../src/log/chain.js'
import type { EventHeader, Head, StoredEvent } from '../../src/log/event.js'
import { search } from '../../src/log/logQuery.js'
import type { Storage } from '../../src/storage/storage.js'
import { type AuditQuery, logQueryOf } from '../../src/trust/audit/query.js'
import { drivers } from '../http/drivers.js'
import { appendEvents } from '../support/append.js'
import { temporaryDirectory } from '../support/databases.js'
import { strain } from '../support/memory.js'
import { suite } from '../support/suite.js'
import { longestTurn } from '../support/turns.js'

/** 1 is a million events. By default half, so that all of these tests take less than ten minutes. */
const SCALE = Number(process.env.HUB_LIMITS_SCALE ?? 0.5)
const EVENTS = Math.round(1_000_000 * SCALE)
const MISSED = Math.round(100 * SCALE)
const MB = 1024 * 1024
const MAX_TURN_MS = 50
const LIMITS = { maxFailures: 10, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 100 }

const report = (text: string) => process.stdout.write(`  ${text}\n`)

const searching = suite('a search of a long log')
searching(
  `of ${EVENTS} events what is rare is found at once, and where no index answers others get their turn`,
  async () => {
    const { path } = await temporaryDirectory()
    const storage = await openStorage({ driver: 'sqlite', path: join(path, 'hub.db'), prefix: 'hub_' })
    try {
      await migrate(storage)
      await writeMany(storage)
      const queries: readonly (readonly [name: string, query: AuditQuery, found: number, limit_ms: number])[] = [
        ['a rare account', { actor: 'rare' }, 10, 200],
        ['a frequent account', { actor: 'ada' }, 50, 200],
        ['a rare token', { token: 'rare' }, 10, 200],
        ['a rare type', { type: 'RareType' }, 10, 200],
        ['a rare address', { address: '203.0.113.9' }, 10, 200],
        ['a frequent address', { address: '192.0.2.1' }, 50, 200],
        ['a request', { request: 'request-777' }, 1, 60_000],
        ['a record of any kind', { id: 'd5' }, 50, 200],
        ['everything', {}, 50, 200],
        ['a kind that there is not', { kind: 'snippet' }, 0, 60_000],
        ['a frequent account with a type that it never has', { actor: 'ada', type: 'RareType' }, 0, 60_000],
        ['an address with an account', { actor: 'rare', address: '192.0.2.1' }, 0, 60_000]
      ]
      for (const [name, query, count, limit_ms] of queries) {
        for (const newestFirst of [true, false]) {
          const begun = performance.now()
          const { value, longest_ms } = await longestTurn(() => searchAll(storage, query, newestFirst))
          const took_ms = performance.now() - begun
          report(
            `${name}, ${newestFirst ? 'newest' : 'oldest'} first: ${took_ms.toFixed(0)} ms, turn ${longest_ms.toFixed(0)}`
          )
          assert.is(value.length, Math.min(count, EVENTS), name)
          assert.ok(took_ms < limit_ms, `${name}: ${took_ms} ms`)
          assert.ok(longest_ms < MAX_TURN_MS, `${name}: a turn of ${longest_ms} ms`)
        }
      }
    } finally {
      await storage.close()
    }
  },
  { timeout_ms: 900_000 }
)
searching.run()

for (const driver of drivers.filter(({ name }) => name.startsWith('sqlite') || name.startsWith('postgres'))) {
  const missing = suite(`a second hub on ${driver.name}`, { needs: driver.needs })
  missing(
    `that has missed ${MISSED} events of 8 MB goes on at once`,
    async () => {
      const place = await driver.open('missed', LIMITS)
      const [writing, reading] = [await openStorage(place.db), await openStorage(place.db)]
      try {
        await migrate(writing)
        const ledger = await openLedger(reading, () => null)
        const content = 'lorem ipsum '.repeat((8 * MB) / 12)
        for (let i = 0; i < MISSED; i++) await writeOne(writing, `d${i}`, content)
        let told = 0
        const { value: caught, grown_bytes } = await strain(async () => {
          const caught = await longestTurn(() => ledger.readModel.current())
          for (let after = 0; after < 20; told++) {
            const page = await ledger.tail.after(after)
            after = page.at(-1)?.change.position ?? 20
          }
          return caught
        })
        report(`caught up with ${MISSED} events: longest turn ${caught.longest_ms.toFixed(0)} ms`)
        report(`told of 20 in ${told} pages; memory grew by ${(grown_bytes / MB).toFixed(0)} MB`)
        assert.ok(caught.longest_ms < MAX_TURN_MS, `a turn of ${caught.longest_ms} ms`)
        assert.is(ledger.readModel.head.position, MISSED)
        assert.ok(grown_bytes < 250 * MB, `${grown_bytes} bytes`)
        await ledger.close()
      } finally {
        await writing.close()
      }
    },
    { timeout_ms: 900_000 }
  )
  missing.run()
}

/** All pages of a search, up to fifty events. */
async function searchAll(storage: Storage, query: AuditQuery, newestFirst: boolean): Promise<readonly EventHeader[]> {
  const events: EventHeader[] = []
  for (let cursor: number | undefined; ; ) {
    const { next, ...found } = await search({ storage }, logQueryOf(query), {
      limit: 50 - events.length,
      newestFirst,
      cursor
    })
    events.push(...found.events)
    if (next === null || events.length === 50) return events
    cursor = next
  }
}

const cause = { actorId: 'ada', actorName: 'Ada', tokenId: 'token', address: '192.0.2.1', requestId: null }

async function writeOne(storage: Storage, id: string, content: string): Promise<void> {
  const data = { collectionId: 'c', folderId: null, sortOrder: 1, content: { name: id, content, marker: null } }
  const happening = { events: [emitDocument(id, 'DocumentCreated', data)], cause, commandId: id, now: Date.now() }
  await appendEvents(storage, happening)
}

async function write(storage: Storage, after: Head, events: readonly StoredEvent[]): Promise<void> {
  const last = events.at(-1)
  if (!last) return
  const head = { ...after, position: last.position, chain: last.chain, at: last.at }
  assert.is(await storage.commit({ after, events, ops: [], head }), 'committed')
}

/** A log in which ten events, spread over all of it, are of a rare account, token, type and address. */
async function writeMany(storage: Storage): Promise<void> {
  const [usual, rare] = ['192.0.2.1', '203.0.113.9'].map((address) => seal(JSON.stringify({ address, name: 'Ada' })))
  const payload = seal(JSON.stringify({ text: 'x'.repeat(200) }))
  const at = new Date(0).toISOString()
  if (!usual || !rare) return
  for (let position = 1; position <= EVENTS; ) {
    const after = await storage.head()
    const events: StoredEvent[] = []
    for (; events.length < 2000 && position <= EVENTS; position++) {
      const isRare = position % (EVENTS / 10) === 0
      events.push({
        ...{ position, stream: `document-d${position % 1000}`, version: Math.ceil(position / 1000), schema: 1, at },
        ...{
          type: isRare ? 'RareType' : 'DocumentUpdated',
          commandId: `c${position}`,
          actorId: isRare ? 'rare' : 'ada'
        },
        ...{
          tokenId: isRare ? 'rare' : 'token',
          requestId: `request-${position}`,
          correlationId: null,
          causation: null
        },
        ...{ who: isRare ? rare : usual, payload, chain: String(position) }
      })
    }
    await write(storage, after, events)
  }
}
