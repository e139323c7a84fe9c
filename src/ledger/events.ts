import { codec } from '../../commands/index.js'
import type { ReadEvents } from '../../projections/replay.js'
import { decoded } from '../log/codec.js'
import { pages } from '../log/pages.js'
import type { Storage } from '../storage/storage.js'

/** What is made of a page lives until the next one: small pages are gone before anybody has to copy them. */
const PAGE = 500

/** Events of a log, as projectors see them. */
export function eventsIn(storage: Pick<Storage, 'readLog'>): ReadEvents {
  return async function* (from, to) {
    for await (const page of pages(storage.readLog, from, to, PAGE)) yield page.map((event) => decoded(event, codec))
  }
}
