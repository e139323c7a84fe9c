import { fitting, LIMITS } from '../../limits.js'
import type { StoredEvent } from '../../log/event.js'
import type { Storage } from '../storage.js'
import type { Client } from './client.js'
import { isUnfinished, UNFINISHED } from './deferred.js'
import { EVENTS, eventId, isPossible } from './layout.js'
import { eventsOf, HEADER_FIELDS, payloadBytes, toHeader } from './log.js'
import type { Query } from './query.js'
import { integerOf, textOf } from './values.js'
import type { Answer, Document } from './wire.js'

/** One question can name so many positions. */
const POSITIONS_MAX = 30

/** What of an event says how large it is. */
const SIZE_FIELDS = ['position', 'bytes', 'parts', ...Object.keys(UNFINISHED)]
const TYPE_FIELDS = ['position', 'type', ...Object.keys(UNFINISHED)]

type Pages = Pick<Storage, 'readLog' | 'readHeaders' | 'readTypes' | 'readOccurrences' | 'readAt' | 'readStream'>

/** Reads the log below `parent`: of events with texts, no more than two pages come over the network, and a few documents. */
export function logPages(client: Client, parent: string, finish: () => Promise<void>): Pages {
  const { max } = LIMITS.page
  const events = async (answer: Answer) =>
    eventsOf(client, parent, { ...answer, documents: fitting(answer.documents, LIMITS.page, payloadBytes) })
  const ask = async (query: Omit<Query, 'collection'>, bytesMax?: number) => {
    const answer = await client.query(parent, { collection: EVENTS, ...query }, undefined, bytesMax)
    // Whoever learns of a commit this way must not find rows that it has removed either.
    if (answer.documents.some(isUnfinished)) await finish()
    return answer
  }
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
    readOccurrences: readLog,
    readHeaders: async (position, limit) =>
      limit > 0 ? (await ask({ ...after(position, limit), fields: HEADER_FIELDS })).documents.map(toHeader) : [],
    async readTypes(position, through) {
      if (position >= through) return []
      const { documents } = await ask({ ...after(position, through - position), fields: TYPE_FIELDS })
      return documents.map(({ fields }) => ({ type: textOf(fields.type) ?? '' }))
    },
    async readAt(positions) {
      const page: StoredEvent[] = []
      let room = max
      for (let i = 0; i < positions.length && room > 0; i += POSITIONS_MAX) {
        const some = positions.slice(i, i + POSITIONS_MAX)
        const { answer, isAll } = await documentsAt(some, room, page.length === 0 ? 1 : 0)
        page.push(...(await eventsOf(client, parent, answer)))
        room -= answer.documents.reduce((sum, document) => sum + payloadBytes(document), 0)
        if (!isAll) break
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
