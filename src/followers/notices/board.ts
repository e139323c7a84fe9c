import { collectionsTable } from '../../../commands/records/collection/table.js'
import { foldersTable } from '../../../commands/records/folder/table.js'
import { requestsTable } from '../../../commands/records/request/table.js'
import { runResultsTable } from '../../../commands/records/runResult/table.js'
import { commentsTable } from '../../../commands/talk/comment/table.js'
import { effectOf } from '../../../projections/index.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS } from '../../limits.js'
import { type EventHeader, subjectOf } from '../../log/event.js'
import { newestFirst } from '../../log/pages.js'
import { coalesced } from '../../readmodel/coalesced.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import type { Storage } from '../../storage/storage.js'
import type { FeedEntry } from '../feed/change.js'
import type { Tail } from '../feed/tail.js'
import { Discussions } from './discussions.js'
import { MarkCache } from './marks.js'
import { NEWS, type NewsItem, type NewsList, NOTICE_DAYS, type RecordNews } from './news.js'
import { RunResults, SavedRequests } from './records.js'

/** Further behind than this the board is made anew, which takes what is news and no more. */
const FAR_EVENTS = 5000
const DAY_MS = 86_400_000

// The keys of the object are those of its type.
const LISTS = Object.keys(NEWS) as readonly NewsList[]

interface Ports {
  readonly storage: Pick<Storage, 'searchLog' | 'state'>
  readonly readModel: ReadModel
  readonly tail: Pick<Tail, 'after'>
  readonly now: () => number
}

/**
 * What has happened lately that somebody may be told of, for all of them together: read off the end of the log when it is first
 * asked for, and kept as new as the log from then on. Nothing is written for anybody: who is told what follows from the rules
 * and from the access of the moment, so what is deleted, erased or closed to somebody is no notice of theirs any more.
 */
export class NoticeBoard {
  readonly #ports: Ports
  #position = 0
  #lists: Lists

  /** What accounts have read of it. */
  readonly marks: MarkCache

  constructor(ports: Ports) {
    this.#ports = ports
    this.#lists = newLists(ports.readModel)
    this.marks = new MarkCache(ports.storage.state)
  }

  /** Resolves when the board is as new as the read model. */
  readonly current: () => Promise<void> = coalesced(() => this.#catchUp())

  /** How far in the log the board is. */
  get position(): number {
    return this.#position
  }

  /** Everything on the board of the last days, newest first. */
  *entries(): Generator<RecordNews, void> {
    const since = new Date(this.#ports.now() - NOTICE_DAYS * DAY_MS).toISOString()
    const lists = Object.values(this.#lists).map((list) => list.newestFirst())
    const heads = lists.map((list) => list.next())
    for (;;) {
      let best = -1
      for (const [i, { value, done }] of heads.entries()) {
        if (!done && (best < 0 || value.newest > (heads[best]?.value?.newest ?? 0))) best = i
      }
      const found = heads[best]?.value
      const list = lists[best]
      if (!found || !list) return
      // Behind what is older there may be newer: what came from an older hub stands where it came in.
      const all = found.all.filter((one: NewsItem) => one.at >= since)
      if (all.length > 0) yield { ...found, all }
      heads[best] = list.next()
    }
  }

  async #catchUp(): Promise<void> {
    const { readModel, tail } = this.#ports
    const end = readModel.head.position
    // The database was put back to an earlier state, or the board is far behind.
    if (this.#position === 0 || this.#position > end || end - this.#position > FAR_EVENTS) await this.#load(end)
    while (this.#position < end) {
      const entries = await tail.after(this.#position)
      const last = entries.at(-1)
      if (!last) break
      for (const entry of entries) await this.#take(entry)
      this.#position = last.change.position
      await giveWay()
    }
    await resolve(this.#lists)
  }

  /** Reads the last of what is news off the log. What was there is there until all of it is. */
  async #load(end: number): Promise<void> {
    const { readModel, now } = this.#ports
    const lists = newLists(readModel)
    const since = new Date(now() - NOTICE_DAYS * DAY_MS).toISOString()
    for (const list of LISTS) {
      const { happened, imported } = NEWS[list]
      const found = [...(await this.#lastOf(happened, end, since)), ...(await this.#lastOf(imported, end, since))]
      for (const { stream, position, at, actorId, type } of found.sort((a, b) => a.position - b.position))
        lists[list].add({ id: subjectOf(stream), position, at, actorId, isImported: type === imported })
      await giveWay()
    }
    await resolve(lists)
    this.#lists = lists
    this.#position = end
  }

  async #lastOf(type: string, end: number, since: string) {
    const found: EventHeader[] = []
    for await (const header of newestFirst(this.#ports.storage, { types: [type] }, { after: 0, through: end })) {
      if (header.at < since || found.length === LIMITS.noticed.max) break
      found.push(header)
    }
    return found
  }

  /** Takes in one event: what it tells of, and what it may have done to the place of what is there. */
  async #take({ change, collections }: FeedEntry): Promise<void> {
    const { type, kind, id } = change
    for (const list of LISTS) {
      const { happened, imported } = NEWS[list]
      if (type === happened || type === imported) this.#lists[list].add({ ...change, isImported: type === imported })
    }
    if (kind === 'request' || kind === 'runresult' || kind === 'comment') {
      for (const list of Object.values(this.#lists)) list.touch(kind, id)
      return
    }
    if (!effectOf(type).tables.some((table) => PLACES.has(table.name))) return
    const within = kind === 'folder' || kind === 'collection' ? collections : null
    for (const list of Object.values(this.#lists)) list.touchWithin(within)
  }
}

/** What is on the board, by what happened. */
interface Lists extends Readonly<Record<NewsList, unknown>> {
  readonly saved: SavedRequests
  readonly runs: RunResults
  readonly comments: Discussions
}

function newLists(readModel: ReadModel): Lists {
  return { saved: new SavedRequests(readModel), runs: new RunResults(readModel), comments: new Discussions(readModel) }
}

async function resolve(lists: Lists): Promise<void> {
  for (const list of Object.values(lists)) await list.resolve()
}

/** The tables by which a thing is there, and has a place. */
const PLACES: ReadonlySet<string> = new Set(
  [requestsTable, foldersTable, collectionsTable, runResultsTable, commentsTable].map(({ name }) => name)
)
