import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Caller } from '../commands/context.js'
import { systemEditor } from '../commands/people/user/system.js'
import { emitRequest } from '../commands/records/request/events.js'
import { migrate } from '../migrations/migrate.js'
import { openStorage } from '../src/app/databases.js'
import { type OpenLedger, openLedger } from '../src/app/openLedger.js'
import { search } from '../src/followers/search/search.js'
import { slices } from '../src/limits.js'
import type { NewEvent } from '../src/log/event.js'
import type { Storage } from '../src/storage/storage.js'
import { collection, content } from '../test/decide/made.js'
import { appendEvents, projected } from '../test/support/append.js'
import type { Benchmark } from './benchmark.js'
import { onEachDriver } from './support/places.js'
import { table } from './support/table.js'
import { timed, within } from './support/times.js'

const REQUESTS = 100_000
const PER_COLLECTION = 1000
const BODY_WORDS = 60
const QUERIES = 300
const BATCH = 1000

const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'export', 'verify', 'cancel', 'refund']
const things = Array.from({ length: 500 }, (_, i) => `thing${i.toString(36)}${'aeiou'[i % 5]}`)

/** Search in 100,000 requests, as many as `--scale` says of them: what it takes to index them, and what searches take. */
export const searchBenchmark: Benchmark = {
  name: 'search',
  summary: 'search in a large number of requests, on each driver that is there',
  async run({ scale, only, print, progress }) {
    const count = Math.max(PER_COLLECTION, Math.round(REQUESTS * scale))
    await onEachDriver({ only, print }, async ({ db }, { name }) => {
      const storage = await openStorage(db)
      await migrate(storage)
      progress(`${name}: ${count} requests`)
      const collections = await seed(storage, count)
      const ledger = await openLedger(storage, () => null)
      progress(`${name}: the index`)
      const started = performance.now()
      await ledger.indexer.bringForward()
      const rate = count / ((performance.now() - started) / 1000)
      print(`${name}: ${count} requests, indexed ${Math.round(rate)}/s\n`)
      print(`${table(await measured(ledger, collections))}\n`)
      await ledger.close()
    })
  }
}

async function measured(ledger: OpenLedger, collections: readonly string[]): Promise<readonly (readonly string[])[]> {
  const one: Caller = { ...systemEditor, collectionAccess: collections.slice(0, 1), environmentAccess: [] }
  const many: Caller = { ...one, collectionAccess: collections.slice(0, 50) }
  const lines = [['', 'found', 'p50', 'p95', 'p99', 'longest', 'longest turn']]
  for (const [what, ask, caller = systemEditor] of [
    ['a name', (i) => `${pick(verbs, i)} ${pick(things, i)}`],
    ['beginning of a name, 3 letters', (i) => `${pick(things, i).slice(0, 3)}`],
    ['one letter', (i) => 'abcdefghijklmnopqrstuvwxyz'[i % 26] ?? 'a'],
    ['a part of a URL', (i) => `v1/${pick(things, 7 * i)}`],
    ['words of bodies', (i) => `${pick(things, i)} ${pick(things, 3 * i + 1)} ${pick(things, 5 * i + 2)}`],
    ['a word that all have', () => 'https '],
    ['two words that all have', () => 'example https "'],
    ['a word that none has', (i) => `nothing${i}`],
    ['a word that all have, of 1 collection', () => 'https', one],
    ['a name, of 50 collections', (i) => `${pick(verbs, i)} ${pick(things, i)}`, many],
    ['one letter, of 50 collections', (i) => 'abcdefghijklmnopqrstuvwxyz'[i % 26] ?? 'a', many]
  ] as readonly (readonly [string, (i: number) => string, Caller?])[]) {
    lines.push([what, ...(await searched((i) => search(ledger, async () => caller, { q: ask(i) })))])
  }
  return lines
}

async function searched(ask: (i: number) => ReturnType<typeof search>): Promise<readonly string[]> {
  const times: number[] = []
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let found = 0
  for (let i = 0; i < 10; i++) await ask(QUERIES + i)
  delay.enable()
  for (let i = 0; i < QUERIES; i++) {
    const ofOne = async () => {
      found += (await ask(i)).results.length
    }
    times.push(await timed(ofOne))
    await new Promise((resolve) => setImmediate(resolve))
  }
  delay.disable()
  const at = (share: number) => `${within(times, share).toFixed(1)} ms`
  return [(found / QUERIES).toFixed(1), at(0.5), at(0.95), at(0.99), at(1), `${(delay.max / 1e6).toFixed(0)} ms`]
}

/** Fills an empty log with collections of a thousand requests each, and returns the ids of the collections. */
async function seed(storage: Storage, count: number): Promise<readonly string[]> {
  const cause = { actorId: 'system', actorName: 'system', tokenId: null, address: null, requestId: null }
  const collections = Array.from({ length: Math.ceil(count / PER_COLLECTION) }, () => randomUUID())
  let head = await storage.head()
  for (const events of slices([...eventsOf(collections, count)], BATCH)) {
    const happening = { events, cause, commandId: randomUUID(), now: Date.now() }
    head = await appendEvents(storage, happening, { after: head, ops: projected })
  }
  return collections
}

function* eventsOf(collections: readonly string[], count: number): Generator<NewEvent> {
  for (const [i, id] of collections.entries()) yield collection(id, `Collection ${i}`)
  for (let i = 0; i < count; i++) {
    const collectionId = collections[Math.floor(i / PER_COLLECTION)] ?? ''
    const words = Array.from({ length: BODY_WORDS }, (_, j) => `"${pick(things, i * 31 + j * j * 17)}": ${j}`)
    const request = content(`${pick(verbs, i)} ${pick(things, Math.floor(i / 10))}`, {
      url: `https://api.example.com/v1/${pick(things, i * 3)}/${i}?page=1`,
      body: `{${words.join(', ')}}`,
      comment: `What ${pick(things, i * 13)} is for.`
    })
    const data = { collectionId, folderId: null, sortOrder: (i % PER_COLLECTION) * 1024, content: request }
    yield emitRequest(randomUUID(), 'RequestCreated', data)
  }
}

function pick(words: readonly string[], i: number): string {
  return words[i % words.length] ?? ''
}
