import { LIMITS } from '../../limits.js'
import type { StoredEvent } from '../../log/event.js'
import type { Storage } from '../storage.js'
import type { Client } from './client.js'
import { EVENTS, eventId, isPossible } from './layout.js'
import { eventsOf, HEADER_FIELDS, payloadBytes, toHeader } from './log.js'
import type { Query } from './query.js'
import { isSweeping, SWEEPING } from './sweeps.js'
import { integerOf, textOf } from './values.js'
import type { Answer, Document } from './wire.js'

/** One question can name so many positions. */
const POSITIONS_MAX = 30

const TYPE_FIELDS = ['position', 'type', ...Object.keys(SWEEPING)]

type Pages = Pick<Storage, 'readLog' | 'readHeaders' | 'readTypes' | 'readOccurrences' | 'readAt' | 'readStream'>

/** Reads the log below `parent`: of events with texts, no more than a page comes over the network, and a few documents. */
export function logPages(client: Client, parent: string, finish: () => Promise<void>, { max } = LIMITS.page): Pages {
  const events = async (answer: Answer) =>
    eventsOf(client, parent, { ...answer, documents: fitting(answer.documents, max, true) })
  const ask = async (query: Omit<Query, 'collection'>, bytesMax?: number) => {
    const answer = await client.query(parent, { collection: EVENTS, ...query }, undefined, bytesMax)
    // Whoever learns of a commit this way must not find rows that it has removed either.
    if (answer.documents.some(isSweeping)) await finish()
    return answer
  }
  const after = (position: number, limit: number) => ({
    where: [{ field: 'position', above: position }],
    order: ['position'],
    limit
  })
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
      for (let i = 0; i < positions.length; i += POSITIONS_MAX) {
        const answer = await ask({ where: [{ field: 'position', isIn: positions.slice(i, i + POSITIONS_MAX) }] })
        const found = answer.documents.toSorted((a, b) => positionOf(a) - positionOf(b))
        const documents = fitting(found, room, page.length === 0)
        page.push(...(await eventsOf(client, parent, { ...answer, documents })))
        room -= documents.reduce((sum, document) => sum + payloadBytes(document), 0)
        if (documents.length < found.length) break
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

/** The first documents whose events have so many bytes at most; with `isFirst` one at least. */
function fitting(documents: readonly Document[], room: number, isFirst: boolean): readonly Document[] {
  let bytes = 0
  const end = documents.findIndex((document, i) => {
    bytes += payloadBytes(document)
    return bytes > room && !(isFirst && i === 0)
  })
  return end < 0 ? documents : documents.slice(0, end)
}

const positionOf = ({ fields }: Document) => integerOf(fields.position) ?? 0
