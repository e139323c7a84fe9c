import type { EventHeader } from '../../log/event.js'
import { wantsHeader } from '../search.js'
import type { LogFilter, Storage } from '../storage.js'
import type { Client } from './client.js'
import { isUnfinished } from './deferred.js'
import { EVENTS, isPossible } from './layout.js'
import { HEADER_FIELDS, toHeader } from './log.js'
import type { Filter } from './query.js'
import { indexable } from './values.js'

/** One question can be about so many alternatives, all combinations counted. */
const ALTERNATIVES_MAX = 30
const PAGE = 500
const STREAMS_AT_ONCE = 16

type Search = Pick<Storage, 'searchLog' | 'lastOf'>

/**
 * Searches the log below `parent`. Each thing that it is searched by has an index with the position, and Firestore joins them:
 * only for kinds of streams, and for more alternatives than a question can have, events are read and left out here.
 */
export function logSearch(client: Client, parent: string, finish: () => Promise<void>): Search {
  const searchLog: Search['searchLog'] = async (filter, { after, through }, limit, newestFirst) => {
    const asked = questionOf(filter)
    if (!asked) return []
    const count = asked.isWhole ? limit : Math.max(limit, PAGE)
    const found: EventHeader[] = []
    for (let low = after, high = through; found.length < limit && low < high; ) {
      const where: Filter[] = [...asked.where, { field: 'position', above: low }, { field: 'position', through: high }]
      const question = { collection: EVENTS, where, order: ['position'], reverse: newestFirst, fields: HEADER_FIELDS }
      const { documents } = await client.query(parent, { ...question, limit: count })
      if (documents.some(isUnfinished)) await finish()
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
      for (let i = 0; i < streams.length; i += STREAMS_AT_ONCE) {
        const newest = streams
          .slice(i, i + STREAMS_AT_ONCE)
          .map((stream) => searchLog({ streams: [stream], types }, { after: 0, through }, 1, true))
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
