import { randomUUID } from 'node:crypto'
import type { Account } from '../../commands/people/user/events.js'
import { emitCollection } from '../../commands/records/collection/events.js'
import { emitDocument } from '../../commands/records/document/events.js'
import { emitEnvironment } from '../../commands/records/environment/events.js'
import { emitRequest } from '../../commands/records/request/events.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { migrateDatabase } from '../../src/app/start.js'
import type { HubConfig } from '../../src/config/types.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { drawSecret } from '../../src/ledger/secrets.js'
import type { Head, NewEvent } from '../../src/log/event.js'
import type { CommandResult } from '../../src/log/sequencing.js'
import type { Storage } from '../../src/storage/storage.js'
import { appendEvents, projected } from '../../test/support/append.js'
import { requestContent } from '../http/content.js'

const GAP = 1024
const BATCH_EVENTS = 1000
const BATCH_BYTES = 4 * 1024 * 1024
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

/** An event, and whether the read tables are to have it: what a later one replaces they need not. */
type Told = readonly [event: NewEvent, shows: boolean]

/** Fills an empty database with a past, in large commits. */
export async function seedPast(config: HubConfig, sizes: Sizes, progress: (text: string) => void): Promise<PastSeed> {
  await migrateDatabase(config)
  const ledger = await openReadyLedger(config)
  try {
    const user = await person(ledger, 'Grace Hopper', 'user')
    const admin = await person(ledger, 'Ada Lovelace', 'admin')
    const cause = { actorId: user.id, actorName: 'Grace Hopper', tokenId: user.tokenId, address: '192.0.2.1' }
    const write = (told: Iterable<Told>) => written(ledger.storage, told, { ...cause, requestId: randomUUID() })
    const [home, ordered, deleted] = [randomUUID(), randomUUID(), randomUUID()]
    await write([home, ordered, deleted].map((id): Told => [collection(id), true]))
    progress(`${sizes.events} small events`)
    const environment = randomUUID()
    await write(small(sizes.events, environment))
    progress(`${sizes.reorders} reorders of ${sizes.requests} requests`)
    const ids = Array.from({ length: sizes.requests }, () => randomUUID())
    const { position: unordered } = await write(requests(ordered, ids))
    const half = Math.floor(sizes.reorders / 2)
    const { position: amid } = await write(reorders(ordered, ids, 0, half))
    await write(reorders(ordered, ids, half, sizes.reorders))
    progress(`${sizes.deleted} requests that are deleted`)
    const gone = Array.from({ length: sizes.deleted }, () => randomUUID())
    await write(requests(deleted, gone))
    await write([[emitCollection(deleted, 'CollectionDeleted', goneWith(gone)), true]])
    progress(`${sizes.versions} versions of ${sizes.versionBytes} bytes`)
    const document = randomUUID()
    const { position } = await write(versions(home, document, sizes))
    const halfway = position - Math.floor(sizes.versions / 2)
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

async function person(ledger: Ledger, name: string, role: 'user' | 'admin') {
  const { secret, ...issued } = drawSecret('hbk_')
  const [id, tokenId] = [randomUUID(), randomUUID()]
  const access = role === 'user' ? ['*'] : []
  const account: Account = {
    name,
    role,
    collectionAccess: access,
    environmentAccess: access,
    snippetAccess: access,
    liveServerAccess: [],
    livePageAccess: [],
    llmAccess: false,
    llmModels: [],
    llmMonthlyTokenLimit: null
  }
  await ledger.run({ type: 'CreateUser', id, account, token: { tokenId, ...issued } }, systemOrigin)
  return { id, tokenId, secret }
}

async function written(storage: Storage, told: Iterable<Told>, cause: CommandResult['cause']): Promise<Head> {
  let head = await storage.head()
  let batch: Told[] = []
  let bytes = 0
  const known = new Map<string, number>()
  const flush = async () => {
    const happening = { events: batch.map(([event]) => event), cause, commandId: randomUUID(), now: Date.now() }
    for (const { stream } of happening.events) {
      if (!known.has(stream)) known.set(stream, await lastVersion(storage, stream, head.position))
    }
    head = await appendEvents(storage, happening, {
      after: head,
      versions: known,
      ops: (events) => projected(events.filter((_, i) => batch[i]?.[1]))
    })
    batch = []
    bytes = 0
  }
  for (const one of told) {
    batch.push(one)
    bytes += JSON.stringify(one[0].data).length
    if (batch.length >= BATCH_EVENTS || bytes >= BATCH_BYTES) await flush()
  }
  await flush()
  return head
}

async function lastVersion(storage: Storage, stream: string, through: number): Promise<number> {
  const [last] = await storage.searchLog({ streams: [stream] }, { after: 0, through }, 1, true)
  return last?.version ?? 0
}

function collection(id: string): NewEvent {
  const auth = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } } as const
  const scripts = { preRequestScript: '', postRequestScript: '' }
  return emitCollection(id, 'CollectionCreated', {
    name: 'Past',
    variables: [],
    headers: [],
    auth,
    ...scripts,
    marker: null
  })
}

function* requests(collectionId: string, ids: readonly string[]): Generator<Told> {
  for (const [i, id] of ids.entries()) {
    const content = { ...requestContent(i), marker: null }
    yield [emitRequest(id, 'RequestCreated', { collectionId, folderId: null, sortOrder: (i + 1) * GAP, content }), true]
  }
}

/** Each takes two neighbours' places from one another, as somebody who drags one item does. */
function* reorders(collectionId: string, ids: readonly string[], from: number, to: number): Generator<Told> {
  for (let i = from; i < to; i++) {
    const at = (i * 7) % (ids.length - 1)
    const swapped = [at, at + 1].map((one, j) => ({ id: ids[one] ?? '', sortOrder: (at + 2 - j) * GAP }))
    yield [emitCollection(collectionId, 'ItemsReordered', { folderId: null, requests: swapped, documents: [] }), true]
  }
}

function goneWith(requests: string[]) {
  return { name: 'Past', folders: [], requests, documents: [] }
}

function* versions(collectionId: string, id: string, { versions, versionBytes }: Sizes): Generator<Told> {
  for (let i = 0; i < versions; i++) {
    const content = { name: `Version ${i}`, content: `${i} `.repeat(versionBytes).slice(0, versionBytes), marker: null }
    const data = { collectionId, folderId: null, sortOrder: GAP, content }
    if (i === 0) yield [emitDocument(id, 'DocumentCreated', data), true]
    else yield [emitDocument(id, 'DocumentUpdated', data), i === versions - 1]
  }
}

function* small(count: number, first: string): Generator<Told> {
  const ids = Array.from({ length: Math.min(count, ENVIRONMENTS) }, (_, i) => (i === 0 ? first : randomUUID()))
  for (let i = 0; i < count; i++) {
    const id = ids[i % ids.length] ?? first
    const variables = [{ key: 'host', value: `host-${i}`, defaultValue: '', share: true, enabled: true }]
    const data = { name: `Environment ${i % ids.length}`, variables, parentUuid: null, marker: null }
    if (i < ids.length) yield [emitEnvironment(id, 'EnvironmentCreated', data), true]
    else yield [emitEnvironment(id, 'EnvironmentUpdated', data), i >= count - ids.length]
  }
}
