import { codec } from '../commands/index.js'
import type { ReadEvents } from '../projections/replay.js'
import { decoded } from './log/codec.js'
import { pages } from './log/pages.js'
import type { Storage } from './storage/storage.js'

/** What is made of a page lives until the next one: small pages are gone before anybody has to copy them. */
const PAGE = 500

/** Events of a log, as projectors see them. */
export function eventsIn(storage: Pick<Storage, 'readReplayEvents'>): ReadEvents {
  return async function* (from, to) {
    const read = (after: number, limit: number) => storage.readReplayEvents(after, limit)
    for await (const page of pages(read, from, to, PAGE)) yield page.map((event) => decoded(event, codec))
  }
}
