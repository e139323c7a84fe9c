import type { Query } from '@google-cloud/firestore'
import { fitting, LIMITS, slices } from '../../limits.js'
import type { EventHeader, LinkedHeader, StoredEvent } from '../../log/event.js'
import { toHeader as headerOf, toEvent, toType } from '../events.js'
import { addressIn, wantsHeader } from '../search.js'
import type { Erasure, LogFilter, Storage, Value } from '../storage.js'
import type { Answer, Client } from './client.js'
import { type Document, indexable, integerOf, textOf, type Write } from './documents.js'
import { EVENTS, eventId, isPossible } from './layout.js'
import { divided, INLINE_BYTES_MAX, PARTS_FIELD, wholeDocuments, withoutParts } from './parts.js'

// An event is a document named by its stream and version, so that no version is there twice; by `position` the log is read in
// order. What it is searched by stands with it in clear: also the address, which an erasure takes away with the rest of `who`.

/** What stands in the document itself. */
const TEXT_BYTES_MAX = { who: 100_000, payload: INLINE_BYTES_MAX - 100_000 }
/** So many texts are erased in one request. */
const ERASURES_MAX = 50

/** The documents of an event in the log below `parent`. */
export async function eventWrites(parent: string, event: StoredEvent): Promise<readonly Write[]> {
  const { who, payload, ...envelope } = event
  const address = addressIn(who.text)
  const { fields, writes } = await divided(
    parent,
    {
      ...envelope,
      who: who.text,
      whoSalt: who.salt,
      whoCommitment: who.commitment,
      payload: payload.text,
      payloadSalt: payload.salt,
      payloadCommitment: payload.commitment,
      bytes: Buffer.byteLength(payload.text ?? ''),
      ...(address !== null && { address: indexable(address) })
    },
    TEXT_BYTES_MAX
  )
  return [{ create: eventPath(parent, event), fields }, ...writes]
}

function eventPath(parent: string, { stream, version }: Pick<StoredEvent, 'stream' | 'version'>): string {
  return `${parent}/${EVENTS}/${eventId(stream, version)}`
}

/** How many bytes the payload has of the event that a document is. */
export function payloadBytes({ fields }: Document): number {
  return integerOf(fields.bytes) ?? LIMITS.text.max
}

/** The events in an answer, with what of them is in parts. */
export async function eventsOf(client: Client, parent: string, answer: Pick<Answer, 'documents' | 'readTime'>) {
  return (await wholeDocuments(client, parent, answer)).map(({ fields }) => toEvent(fields))
}

/** The fields that a header is made of. */
export const HEADER_FIELDS = [
  ...['position', 'stream', 'version', 'type', 'schema', 'at', 'commandId', 'actorId', 'tokenId', 'requestId'],
  ...['correlationId', 'causation', 'chain', 'whoSalt', 'payloadSalt', 'bytes']
]

/** An event without its texts. */
export function toHeader({ fields }: Document): LinkedHeader {
  // Something may have been left in its place.
  return headerOf(fields, textOf(fields.payloadSalt) === null && integerOf(fields.bytes) === 0)
}

/** One question can name so many positions. */
const POSITIONS_MAX = 30

/** One question can be about so many alternatives, all combinations counted. */
const ALTERNATIVES_MAX = 30
/** So many events are read at least where not all that is asked for can be asked of Firestore. */
const SEARCHED = 500
const STREAMS_AT_ONCE = 16
const TYPE_FIELDS = ['position', 'stream', 'type', 'chain']

type LogReads = Pick<Storage, 'readLog' | 'readHeaders' | 'readTypes' | 'readAt' | 'searchLog' | 'lastOf'>

/**
 * Reads and searches the log below `parent`; `settle` does what commits up to a position have left to be done. Of events with
 * texts, no more than two pages come over the network, and a few documents.
 */
export function logReads(client: Client, parent: string, settle: (position: number) => Promise<void>): LogReads {
  const ask = async (question: (events: Query) => Query, bytesMax?: number): Promise<Answer> => {
    const answer = await client.query((store) => question(store.collection(`${parent}/${EVENTS}`)), bytesMax)
    // Whoever learns of a commit this way must not find rows that it has removed either.
    await settle(answer.documents.reduce((last, { fields }) => Math.max(last, integerOf(fields.position) ?? 0), 0))
    return answer
  }
  const { max } = LIMITS.page
  const after = (position: number, limit: number) => (all: Query) =>
    all.where('position', '>', position).orderBy('position').limit(limit)
  /**
   * Each thing that the log is searched by has an index with the position, and Firestore joins them: only for kinds of streams,
   * and for more alternatives than a question can have, events are read and left out here.
   */
  const searchLog: LogReads['searchLog'] = async (filter, within, limit, newestFirst) => {
    const asked = questionOf(filter)
    if (!asked) return []
    const count = asked.isWhole ? limit : Math.max(limit, SEARCHED)
    const found: EventHeader[] = []
    for (let { after: low, through: high } = within; found.length < limit && low < high; ) {
      const { documents } = await ask((all) =>
        asked
          .narrowed(all)
          .where('position', '>', low)
          .where('position', '<=', high)
          .orderBy('position', newestFirst ? 'desc' : 'asc')
          .limit(count)
          .select(...HEADER_FIELDS)
      )
      const headers = documents.map(toHeader)
      found.push(...headers.filter((header) => wantsHeader(filter, header)))
      const last = headers.at(-1)
      if (!last || headers.length < count) break
      if (newestFirst) high = last.position - 1
      else low = last.position
    }
    return found.slice(0, limit)
  }
  return {
    async readLog(position, limit) {
      if (limit <= 0) return []
      const answer = await ask(after(position, limit), max)
      return eventsOf(client, parent, { ...answer, documents: fitting(answer.documents, LIMITS.page, payloadBytes) })
    },
    async readHeaders(position, limit) {
      if (limit <= 0) return []
      return (await ask((all) => after(position, limit)(all).select(...HEADER_FIELDS))).documents.map(toHeader)
    },
    async readTypes(position, through) {
      if (position >= through) return []
      const { documents } = await ask((all) => after(position, through - position)(all).select(...TYPE_FIELDS))
      return documents.map(({ fields }) => toType(fields))
    },
    async readAt(positions) {
      const page: StoredEvent[] = []
      let room = max
      for (const some of slices(positions, POSITIONS_MAX)) {
        const answer = await ask((all) => all.where('position', 'in', some).orderBy('position'), room)
        const documents = fitting(answer.documents, { max: room }, payloadBytes, page.length === 0 ? 1 : 0)
        page.push(...(await eventsOf(client, parent, { ...answer, documents })))
        room -= documents.reduce((sum, document) => sum + payloadBytes(document), 0)
        if (answer.isCut || documents.length < answer.documents.length || room <= 0) break
      }
      return page
    },
    searchLog,
    async lastOf(streams, types, through) {
      const found: EventHeader[] = []
      for (const some of slices(streams, STREAMS_AT_ONCE)) {
        const newest = some.map((stream) => searchLog({ streams: [stream], types }, { after: 0, through }, 1, true))
        found.push(...(await Promise.all(newest)).flat())
      }
      return found
    }
  }
}

/** What Firestore can be asked of a filter, and whether that is all of it; null where nothing can be found. */
function questionOf({ actorId, tokenId, requestId, types, address, streams, streamPrefix }: LogFilter) {
  const one = (value: string | undefined) => (value === undefined ? value : [value])
  const ofOne = { actorId: one(actorId), tokenId: one(tokenId), requestId: one(requestId), address: one(address) }
  const conditions: (readonly [field: string, values: readonly Value[]])[] = []
  let alternatives = 1
  let isWhole = streamPrefix === undefined
  for (const [field, among] of Object.entries({ ...ofOne, stream: streams, type: types })) {
    if (among === undefined) continue
    const values = [...new Set(among)].filter(isPossible).map(indexable)
    if (values.length === 0) return null
    if (alternatives * values.length > ALTERNATIVES_MAX) isWhole = false
    else conditions.push([field, values])
    if (isWhole) alternatives *= values.length
  }
  const narrowed = (all: Query) =>
    conditions.reduce(
      (query, [field, values]) =>
        values.length === 1 ? query.where(field, '==', values[0]) : query.where(field, 'in', values),
      all
    )
  return { narrowed, isWhole }
}

/** Takes texts out of the events of the log below `parent`, with the parts that they were in. */
export async function eraseTexts(client: Client, parent: string, erasures: readonly Erasure[]): Promise<void> {
  for (const some of slices(erasures, ERASURES_MAX)) {
    const { documents } = await client.get([...new Set(some.map(({ event }) => eventPath(parent, event)))])
    const there = new Set(documents.map(({ path }) => path))
    // A document comes once in a commit: its two texts go one after the other.
    for (const part of ['who', 'payload'] as const) {
      const own = some.filter((one) => one.part === part && there.has(eventPath(parent, one.event)))
      if (own.length > 0) await client.commit(own.flatMap((one) => erased(client, parent, one)))
    }
  }
}

function erased(client: Client, parent: string, { event, part, text }: Erasure): readonly Write[] {
  const path = eventPath(parent, event)
  const partIds = client.partsOf(path).get(part) ?? []
  // What says something of the text goes with it.
  const told = part === 'who' ? { address: undefined } : { bytes: Buffer.byteLength(text ?? '') }
  const named = partIds.length > 0 && { [`${PARTS_FIELD}.${part}`]: undefined }
  const fields = { [part]: text, [`${part}Salt`]: null, ...told, ...named }
  return [{ update: path, fields }, ...withoutParts(parent, partIds)]
}
