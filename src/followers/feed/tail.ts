import { giveWay } from '../../lib/turns.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import type { Storage } from '../../storage/storage.js'
import { type FeedEntry, feedEntryOf } from './change.js'

const PAGE = 500
/** What was read last is kept for the next who wants it, a few ids of each event: subscribers are mostly at the same place. */
const RECENT_MAX = 2000
/** How often other processes' commits are asked for while somebody waits. */
const POLL_MS = 500
const LOOK_UP_POLLS = 10

/**
 * The end of a log for many who follow it: each is a position, and asks for what is behind it. They share what is read, and
 * nothing is kept for anybody in particular.
 */
export class Tail {
  readonly #storage: Pick<Storage, 'readLog'>
  readonly #readModel: ReadModel
  readonly #poll_ms: number
  /** The newest entries that were read, without gaps. */
  #recent: readonly FeedEntry[] = []
  readonly #reading = new Map<number, Promise<readonly FeedEntry[]>>()
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #polls = 0

  constructor(storage: Pick<Storage, 'readLog'>, readModel: ReadModel, poll_ms = POLL_MS) {
    this.#storage = storage
    this.#readModel = readModel
    this.#poll_ms = poll_ms
    readModel.onMove(() => {
      // The database was put back to an earlier state: what comes next is not what was read.
      if (readModel.head.position < (this.#recent.at(-1)?.change.position ?? 0)) this.#recent = []
      this.wakeAll()
    })
  }

  /** The entries behind a position, at most 500 and fewer where events are large; none where the log ends there. */
  async after(position: number): Promise<readonly FeedEntry[]> {
    const first = this.#recent[0]?.change.position
    if (first !== undefined && first <= position + 1) {
      const known = this.#recent.slice(position + 1 - first, position + 1 - first + PAGE)
      if (known.length > 0) return known
    }
    const reading = this.#reading.get(position) ?? this.#read(position)
    this.#reading.set(position, reading)
    return reading.finally(() => this.#reading.delete(position))
  }

  /** Resolves when the log may go on behind a position, when the signal is aborted, and every few seconds anyway. */
  async waitForEvents(position: number, signal: AbortSignal): Promise<void> {
    if (this.#readModel.head.position > position || signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        if (this.#waiting.size === 0) this.#rest()
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
      this.#watch()
    })
  }

  /** Has everybody who waits look whether they still want to: their hub has become another one. */
  wakeAll(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  async #read(position: number): Promise<readonly FeedEntry[]> {
    const page: FeedEntry[] = []
    for (const event of await this.#storage.readLog(position, PAGE)) {
      page.push(feedEntryOf(event))
      // A database that answers at once and clients that take everything would let nobody else have a turn.
      await giveWay()
    }
    const end = this.#recent.at(-1)?.change.position
    const first = page[0]?.change.position
    if (first !== undefined) {
      if (end === undefined || first > end + 1) this.#recent = page
      else if (first === end + 1) this.#recent = [...this.#recent, ...page].slice(-RECENT_MAX)
    }
    return page
  }

  /** Own commits are known at once; those of others only by asking. */
  #watch(): void {
    if (this.#timer) return
    this.#timer = setInterval(() => {
      // An outage is no reason to wake anybody; the next answer is.
      this.#readModel.current().catch(() => {})
      // Whoever waits looks up now and then: their hub may have become another one.
      if (++this.#polls % LOOK_UP_POLLS === 0) this.wakeAll()
    }, this.#poll_ms)
    this.#timer.unref()
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
