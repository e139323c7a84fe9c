import { collectionsTable } from '../../projections/collections.js'
import { commentsTable } from '../../projections/comments.js'
import { foldersTable } from '../../projections/folders.js'
import { tablesOf } from '../../projections/index.js'
import { requestsTable } from '../../projections/requests.js'
import { runResultsTable } from '../../projections/runResults.js'
import type { FeedEntry } from '../feed/change.js'
import type { Tail } from '../feed/tail.js'
import { LIMITS } from '../limits.js'
import type { CachedReads } from '../log/cachedReads.js'
import { subjectOf } from '../log/event.js'
import { rounds } from '../log/rounds.js'
import type { Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { Discussions } from './discussions.js'
import type { Entry, Noted } from './happening.js'
import { MarkCache } from './markCache.js'
import { forgetMarks } from './marks.js'
import { RunResults, SavedRequests } from './records.js'

/** Further behind than this the board is made anew, which takes what is noticed and no more. */
const FAR_EVENTS = 5000
const PAGE = 500
/** Notices tell of what happened within so many days. */
const DAYS = 30
const DAY_MS = 86_400_000

const NOTICED = ['RequestUpdated', 'RunResultShared', 'CommentWritten'] as const
type Noticed = (typeof NOTICED)[number]

interface Ports {
  readonly storage: Pick<Storage, 'searchLog' | 'state'>
  readonly view: CachedReads
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
  #saved: SavedRequests
  #runs: RunResults
  #comments: Discussions

  /** What accounts have read of it. */
  readonly marks: MarkCache

  constructor(ports: Ports) {
    this.#ports = ports
    this.marks = new MarkCache(ports.storage.state)
    this.#saved = new SavedRequests(ports.view)
    this.#runs = new RunResults(ports.view)
    this.#comments = new Discussions(ports.view)
  }

  /** Resolves when the board is as new as the view. */
  readonly current: () => Promise<void> = rounds(() => this.#catchUp())

  /** How far in the log the board is. */
  get position(): number {
    return this.#position
  }

  /** Everything on the board of the last days, newest first. */
  *entries(): Generator<Entry, void> {
    const since = new Date(this.#ports.now() - DAYS * DAY_MS).toISOString()
    const lists = [this.#saved, this.#runs, this.#comments].map((list) => list.newestFirst())
    const heads = lists.map((list) => list.next())
    for (;;) {
      let best = -1
      for (const [i, { value, done }] of heads.entries()) {
        if (!done && (best < 0 || value.newest > (heads[best]?.value?.newest ?? 0))) best = i
      }
      const found = heads[best]?.value
      const list = lists[best]
      if (!found || !list || (found.happenings[0]?.at ?? since) < since) return
      yield found
      heads[best] = list.next()
    }
  }

  async #catchUp(): Promise<void> {
    const { view, tail } = this.#ports
    const end = view.head.position
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
    for (const list of [this.#saved, this.#runs, this.#comments]) await list.resolve()
  }

  /** Reads the last of what is noticed off the log. */
  async #load(end: number): Promise<void> {
    const { view, now } = this.#ports
    this.#saved = new SavedRequests(view)
    this.#runs = new RunResults(view)
    this.#comments = new Discussions(view)
    const since = new Date(now() - DAYS * DAY_MS).toISOString()
    for (const type of NOTICED) {
      const found = await this.#lastOf(type, end, since)
      for (const { stream, position, at, actorId } of found.reverse())
        this.#note(type, { id: subjectOf(stream), position, at, actorId })
      await giveWay()
    }
    this.#position = end
  }

  async #lastOf(type: Noticed, end: number, since: string) {
    const { storage } = this.#ports
    const found = []
    for (let through = end; found.length < LIMITS.noticed.max; ) {
      const page = await storage.searchLog({ types: [type] }, { after: 0, through }, PAGE, true)
      found.push(...page.filter(({ at }) => at >= since))
      const last = page.at(-1)
      if (page.length < PAGE || !last || last.at < since) break
      through = last.position - 1
    }
    return found
  }

  #note(type: Noticed, happened: Noted): void {
    if (type === 'RequestUpdated') this.#saved.add(happened)
    else if (type === 'RunResultShared') this.#runs.add(happened)
    else this.#comments.add(happened)
  }

  /** Takes in one event: what it tells of, and what it may have done to the place of what is there. */
  async #take({ change, collections }: FeedEntry): Promise<void> {
    const { type, kind, id } = change
    const noticed = NOTICED.find((one) => one === type)
    if (noticed) return this.#note(noticed, change)
    if (type === 'UserDeleted') await forgetMarks(this.#ports.storage.state, id)
    if (kind === 'request' || kind === 'runresult' || kind === 'comment') {
      this.#saved.touch(kind, id)
      this.#runs.touch(kind, id)
      this.#comments.touch(kind, id)
      return
    }
    if (!tablesOf(type).some((table) => PLACES.has(table.name))) return
    const within = kind === 'folder' || kind === 'collection' ? collections : null
    for (const list of [this.#saved, this.#runs, this.#comments]) list.touchWithin(within)
  }
}

/** The tables by which a thing is there, and has a place. */
const PLACES: ReadonlySet<string> = new Set(
  [requestsTable, foldersTable, collectionsTable, runResultsTable, commentsTable].map(({ name }) => name)
)
