import { fitting, LIMITS, slices } from '../../limits.js'
import type { EventHeader, StoredEvent } from '../../log/event.js'
import { wantsHeader } from '../search.js'
import type { LogFilter, Storage } from '../storage.js'
import type { Client } from './client.js'
import { HAS_DEFERRED, hasDeferred } from './deferred.js'
import { EVENTS, eventId, isPossible } from './layout.js'
import { eventsOf, HEADER_FIELDS, payloadBytes, toHeader } from './log.js'
import { indexable, integerOf, textOf } from './values.js'
import type { Document, Filter, Query, QueryResult } from './wire.js'

/** One question can name so many positions. */
const POSITIONS_MAX = 30

/** What of an event says how large it is. */
const SIZE_FIELDS = ['position', 'bytes', 'parts', ...Object.keys(HAS_DEFERRED)]
const TYPE_FIELDS = ['position', 'stream', 'type', ...Object.keys(HAS_DEFERRED)]

type Pages = Pick<Storage, 'readLog' | 'readHeaders' | 'readTypes' | 'readReplayEvents' | 'readAt' | 'readStream'>

type Search = Pick<Storage, 'searchLog' | 'lastOf'>
type Ask = (query: Omit<Query, 'collection'>, bytesMax?: number) => Promise<QueryResult>

/** Reads and searches the log below `parent`; `finish` does what commits have left to be done. */
export function logReads(client: Client, parent: string, finish: () => Promise<void>): Pages & Search {
  const ask: Ask = async (query, bytesMax) => {
    const answer = await client.query(parent, { collection: EVENTS, ...query }, undefined, bytesMax)
    // Whoever learns of a commit this way must not find rows that it has removed either.
    if (answer.documents.some(hasDeferred)) await finish()
    return answer
  }
  return { ...logPages(client, parent, ask), ...logSearch(ask) }
}

/** Of events with texts, no more than two pages come over the network, and a few documents. */
function logPages(client: Client, parent: string, ask: Ask): Pages {
  const { max } = LIMITS.page
  const events = async (answer: QueryResult) =>
    eventsOf(client, parent, { ...answer, documents: fitting(answer.documents, LIMITS.page, payloadBytes) })
  const after = (position: number, limit: number) => ({
    where: [{ field: 'position', above: position }],
    order: ['position'],
    limit
  })
  /** The first of the events at these positions that fit into the room, at least so many, and whether that is all of them. */
  const documentsAt = async (positions: readonly number[], room: number, least: 0 | 1) => {
    const at = (isIn: readonly number[]) => ({ where: [{ field: 'position', isIn }] })
    const whole = await ask(at(positions), room)
    // An answer that was cut short has its documents in the order of their names.
    const sized = whole.isCut ? await ask({ ...at(positions), fields: SIZE_FIELDS }) : whole
    const ordered = sized.documents.toSorted(byPosition)
    const documents = fitting(ordered, { max: room }, payloadBytes, least)
    const isAll = documents.length === ordered.length
    if (!whole.isCut || documents.length === 0) return { answer: { ...whole, documents }, isAll }
    const answer = await ask(at(documents.map(positionOf)))
    return { answer: { ...answer, documents: answer.documents.toSorted(byPosition) }, isAll }
  }
  const readLog = async (position: number, limit: number) =>
    limit > 0 ? events(await ask(after(position, limit), max)) : []

  return {
    readLog,
    readReplayEvents: readLog,
    readHeaders: async (position, limit) =>
      limit > 0 ? (await ask({ ...after(position, limit), fields: HEADER_FIELDS })).documents.map(toHeader) : [],
    async readTypes(position, through) {
      if (position >= through) return []
      const { documents } = await ask({ ...after(position, through - position), fields: TYPE_FIELDS })
      return documents.map((document) => ({
        position: positionOf(document),
        stream: textOf(document.fields.stream) ?? '',
        type: textOf(document.fields.type) ?? ''
      }))
    },
    async readAt(positions) {
      const page: StoredEvent[] = []
      let room = max
      for (const some of slices(positions, POSITIONS_MAX)) {
        const { answer, isAll } = await documentsAt(some, room, page.length === 0 ? 1 : 0)
        page.push(...(await eventsOf(client, parent, answer)))
        room -= answer.documents.reduce((sum, document) => sum + payloadBytes(document), 0)
        if (!isAll || room <= 0) break
      }
      return page
    },
    async readStream(stream, version, limit) {
      if (limit <= 0 || !isPossible(stream)) return []
      const name = (number: number) => `${parent}/${EVENTS}/${eventId(stream, number)}`
      const from = { name: name(version + 1), inclusive: true }
      return events(await ask({ from, to: name(Number.MAX_SAFE_INTEGER), limit }, max))
    }
  }
}

const positionOf = ({ fields }: Document) => integerOf(fields.position) ?? 0
const byPosition = (a: Document, b: Document) => positionOf(a) - positionOf(b)

/** One question can be about so many alternatives, all combinations counted. */
const ALTERNATIVES_MAX = 30
const PAGE = 500
const STREAMS_AT_ONCE = 16

/**
 * Searches the log. Each thing that it is searched by has an index with the position, and Firestore joins them:
 * only for kinds of streams, and for more alternatives than a question can have, events are read and left out here.
 */
function logSearch(ask: Ask): Search {
  const searchLog: Search['searchLog'] = async (filter, { after, through }, limit, newestFirst) => {
    const asked = questionOf(filter)
    if (!asked) return []
    const count = asked.isWhole ? limit : Math.max(limit, PAGE)
    const found: EventHeader[] = []
    for (let low = after, high = through; found.length < limit && low < high; ) {
      const where: Filter[] = [...asked.where, { field: 'position', above: low }, { field: 'position', through: high }]
      const question = { where, order: ['position'], reverse: newestFirst, fields: HEADER_FIELDS }
      const { documents } = await ask({ ...question, limit: count })
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
  const where: Filter[] = []
  for (const [field, equals] of Object.entries({ actorId, tokenId, requestId, address })) {
    if (equals === undefined) continue
    if (!isPossible(equals)) return null
    where.push({ field, equals: indexable(equals) })
  }
  let alternatives = 1
  let isWhole = streamPrefix === undefined
  for (const [field, among] of [
    ['stream', streams],
    ['type', types]
  ] as const) {
    if (among === undefined) continue
    const isIn = [...new Set(among)].filter(isPossible)
    if (isIn.length === 0) return null
    if (alternatives * isIn.length > ALTERNATIVES_MAX) isWhole = false
    else where.push(isIn.length === 1 ? { field, equals: isIn[0] ?? '' } : { field, isIn })
    if (isWhole) alternatives *= isIn.length
  }
  return { where, isWhole }
}
