import { randomUUID } from 'node:crypto'
import { emitCollection } from '../../commands/records/collection/events.js'
import { emitDocument } from '../../commands/records/document/events.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { rebuildInThread } from '../../src/app/rebuildThread.js'
import { migrateDatabase } from '../../src/app/start.js'
import type { HubConfig } from '../../src/config/types.js'
import type { NewEvent } from '../../src/log/event.js'
import { collection } from '../../test/decide/made.js'
import { requestContent } from '../http/content.js'
import { createUser } from '../http/seed.js'
import { batches } from '../support/batches.js'

const GAP = 1024
const ENVIRONMENTS = 1000

/** How much past there is. */
export interface Sizes {
  readonly versions: number
  readonly versionBytes: number
  readonly requests: number
  readonly reorders: number
  readonly deleted: number
  readonly events: number
}

/** What to ask for, and the tokens to ask with. */
export interface PastSeed {
  readonly user: string
  readonly admin: string
  readonly userId: string
  readonly document: string
  readonly ordered: string
  readonly request: string
  /** Before the first reorder, and in the middle of them. */
  readonly unordered: number
  readonly amid: number
  readonly deleted: string
  readonly environment: string
  /** When half of the large versions were there. */
  readonly halfway: number
}

/** Fills an empty database with a past, in large commits, and makes the read tables of it. */
export async function seedPast(config: HubConfig, sizes: Sizes, progress: (text: string) => void): Promise<PastSeed> {
  await migrateDatabase(config)
  const ledger = await openReadyLedger(config)
  const { storage } = ledger
  try {
    const user = await createUser(ledger, 'Grace Hopper')
    const admin = await createUser(ledger, 'Ada Lovelace', { role: 'admin' })
    const versions = new Map<string, number>()
    const cause = { ...user.agent, actorId: user.id, actorName: 'Grace Hopper', address: '192.0.2.1' }
    /** Writes events and returns the position of the last. */
    const write = async (events: Iterable<NewEvent>) => {
      const happened = { cause: { ...cause, requestId: randomUUID() }, timeOf: Date.now, versions }
      for (const batch of batches(events, await storage.head(), happened)) await storage.commit({ ...batch, ops: [] })
      return (await storage.head()).position
    }
    const [home, ordered, deleted] = [randomUUID(), randomUUID(), randomUUID()]
    await write([home, ordered, deleted].map((id) => collection(id, 'Past')))
    progress(`${sizes.events} small events`)
    const environment = randomUUID()
    await write(small(sizes.events, environment))
    progress(`${sizes.reorders} reorders of ${sizes.requests} requests`)
    const ids = Array.from({ length: sizes.requests }, () => randomUUID())
    const unordered = await write(requests(ordered, ids))
    const half = Math.floor(sizes.reorders / 2)
    const amid = await write(reorders(ordered, ids, 0, half))
    await write(reorders(ordered, ids, half, sizes.reorders))
    progress(`${sizes.deleted} requests that are deleted`)
    const gone = Array.from({ length: sizes.deleted }, () => randomUUID())
    await write(requests(deleted, gone))
    const held = { name: 'Past', folders: [], requests: gone, documents: [] }
    await write([emitCollection(deleted, 'CollectionDeleted', held)])
    progress(`${sizes.versions} versions of ${sizes.versionBytes} bytes`)
    const document = randomUUID()
    const position = await write(versionsOf(home, document, sizes))
    const halfway = position - Math.floor(sizes.versions / 2)
    progress('the read tables')
    await rebuildInThread(config, false)
    const [request = ''] = ids
    return {
      user: user.secret,
      admin: admin.secret,
      userId: user.id,
      document,
      ordered,
      request,
      unordered,
      amid,
      deleted,
      environment,
      halfway
    }
  } finally {
    await ledger.close()
  }
}

function* requests(collectionId: string, ids: readonly string[]): Generator<NewEvent> {
  for (const [i, id] of ids.entries()) {
    const place = { collectionId, folderId: null, sortOrder: (i + 1) * GAP }
    yield emitRequest(id, 'RequestCreated', { ...place, content: requestContent(i) })
  }
}

/** Each takes two neighbours' places from one another, as somebody who drags one item does. */
function* reorders(collectionId: string, ids: readonly string[], from: number, to: number): Generator<NewEvent> {
  for (let i = from; i < to; i++) {
    const at = (i * 7) % (ids.length - 1)
    const swapped = [at, at + 1].map((one, j) => ({ id: ids[one] ?? '', sortOrder: (at + 2 - j) * GAP }))
    yield emitCollection(collectionId, 'ItemsReordered', { folderId: null, requests: swapped, documents: [] })
  }
}

function* versionsOf(collectionId: string, id: string, { versions, versionBytes }: Sizes): Generator<NewEvent> {
  for (let i = 0; i < versions; i++) {
    const content = { name: `Version ${i}`, content: `${i} `.repeat(versionBytes).slice(0, versionBytes), marker: null }
    const data = { collectionId, folderId: null, sortOrder: GAP, content }
    yield emitDocument(id, i === 0 ? 'DocumentCreated' : 'DocumentUpdated', data)
  }
}

function* small(count: number, first: string): Generator<NewEvent> {
  const ids = Array.from({ length: Math.min(count, ENVIRONMENTS) }, (_, i) => (i === 0 ? first : randomUUID()))
  for (let i = 0; i < count; i++) {
    const id = ids[i % ids.length] ?? first
    const variables = [{ key: 'host', value: `host-${i}`, defaultValue: '', share: true, enabled: true }]
    const data = { name: `Environment ${i % ids.length}`, variables, parentUuid: null, marker: null }
    yield emitEnvironment(id, i < ids.length ? 'EnvironmentCreated' : 'EnvironmentUpdated', data)
  }
}
