import { orAborted } from './abort.js'
import { HubRequestError, HubUnreachableError, refusalOf } from './errors.js'
import { eventsOf, type ServerEvent } from './events.js'
import { type Backoff, pause, waitAfter } from './retry.js'
import type { Change } from './types.js'

export interface FeedOptions {
  /**
   * Behind what the feed begins, as `GET /changes` takes it: a position of the log in digits, '0' for its beginning, or the `cursor`
   * of a page of changes. From now on where there is none.
   */
  readonly after?: string
  /** Told of each place that the feed has come to, also where nothing happens: given as `after`, another feed goes on there. */
  readonly reached?: (place: string) => void
  /** Ends the feed with its reason, wherever it is. */
  readonly signal?: AbortSignal
}

/** Opens the stream of changes behind a place, or from now on. */
export type OpenFeed = (after: string | undefined, signal: AbortSignal) => Promise<Response>

/** The hub says every 15 seconds that it is there. */
const SILENCE_MS = 60_000

/** What happens from somewhere on, each change once and in order, over as many connections as it takes; see `HubClient.changes`. */
export async function* changesOf(
  open: OpenFeed,
  backoff: Backoff,
  { after, reached, signal }: FeedOptions
): AsyncGenerator<Change, void> {
  let place = after
  for (let failures = 0; ; ) {
    let failure: unknown = new HubUnreachableError()
    try {
      for await (const { id, data } of connection(open, place, signal)) {
        failures = 0
        // Before the change is given away: who goes on after it wants the next one.
        place = id ?? place
        if (id !== null) reached?.(id)
        // The hub's own: described by the interface.
        if (data !== '') yield JSON.parse(data) as Change
        signal?.throwIfAborted()
      }
    } catch (error) {
      signal?.throwIfAborted()
      // A proxy before a hub that starts anew answers 502 or 504; a hub that is in trouble says nothing for good.
      if (error instanceof HubRequestError && error.status < 500 && error.status !== 429) throw error
      failure = error
    }
    failures++
    // Who asks too often is let in once the time is over that the hub has named, however long that is.
    const isBlocked = failure instanceof HubRequestError && failure.status === 429
    const patience = isBlocked ? { ...backoff, retryAfterMost_ms: Number.POSITIVE_INFINITY } : backoff
    const wait_ms = waitAfter(failure, failures, patience) ?? waitAfter(new HubUnreachableError(), failures, backoff)
    await pause(wait_ms ?? backoff.most_ms, signal)
  }
}

/** The events of one connection, which ends where it falls silent. Rejects with the reason once the signal is aborted. */
async function* connection(
  open: OpenFeed,
  after: string | undefined,
  signal: AbortSignal | undefined
): AsyncGenerator<ServerEvent, void> {
  signal?.throwIfAborted()
  const over = new AbortController()
  const stop = () => over.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let timer = setTimeout(stop, SILENCE_MS)
  try {
    const response = await orAborted(open(after, over.signal), over.signal)
    if (!response.ok || !response.body) throw await orAborted(refusalOf(response), over.signal)
    for await (const event of eventsOf(response.body, over.signal)) {
      clearTimeout(timer)
      timer = setTimeout(stop, SILENCE_MS)
      yield event
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    over.abort()
  }
}
