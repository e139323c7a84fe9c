import { FieldPath, type Query } from '@google-cloud/firestore'
import { fitting, LIMITS, slices } from '../../limits.js'
import type { EventHeader, StoredEvent } from '../../log/event.js'
import { wantsHeader } from '../search.js'
import type { LogFilter, Storage, Value } from '../storage.js'
import type { Answer, Client } from './client.js'
import { indexable, integerOf, textOf } from './documents.js'
import { EVENTS, eventId, isPossible } from './layout.js'
import { eventsOf, HEADER_FIELDS, payloadBytes, toHeader } from './log.js'

/** One question can name so many positions. */
const POSITIONS_MAX = 30

/** One question can be about so many alternatives, all combinations counted. */
const ALTERNATIVES_MAX = 30
/** So many events are read at least where not all that is asked for can be asked of Firestore. */
const SEARCHED = 500
const STREAMS_AT_ONCE = 16
const TYPE_FIELDS = ['position', 'stream', 'type']

type LogReads = Pick<
  Storage,
  'readLog' | 'readHeaders' | 'readTypes' | 'readAt' | 'readStream' | 'searchLog' | 'lastOf'
>

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
  const page = async (answer: Answer) =>
    eventsOf(client, parent, { ...answer, documents: fitting(answer.documents, LIMITS.page, payloadBytes) })
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
    readLog: async (position, limit) => (limit > 0 ? page(await ask(after(position, limit), max)) : []),
    async readHeaders(position, limit) {
      if (limit <= 0) return []
      return (await ask((all) => after(position, limit)(all).select(...HEADER_FIELDS))).documents.map(toHeader)
    },
    async readTypes(position, through) {
      if (position >= through) return []
      const { documents } = await ask((all) => after(position, through - position)(all).select(...TYPE_FIELDS))
      return documents.map(({ fields }) => ({
        position: integerOf(fields.position) ?? 0,
        stream: textOf(fields.stream) ?? '',
        type: textOf(fields.type) ?? ''
      }))
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
    async readStream(stream, version, limit) {
      if (limit <= 0 || !isPossible(stream)) return []
      const [from, to] = [version + 1, Number.MAX_SAFE_INTEGER].map((number) => eventId(stream, number))
      const ofStream = (all: Query) => all.orderBy(FieldPath.documentId()).startAt(from).endAt(to).limit(limit)
      return page(await ask(ofStream, max))
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
