import type { ServerResponse } from 'node:http'
import type { Caller } from '../../../commands/context.js'
import type { LogEnd } from '../../log/logEnd.js'
import { openEventStream } from '../../net/sse.js'
import { type FeedEntry, seenBy } from './change.js'
import { cursorOf } from './cursor.js'
import type { Tail } from './tail.js'

const HEARTBEAT_MS = 15_000
const STALL_MS = 60_000
const LINGER_MS = 1000

/** What is followed, and on whose behalf. */
export interface Followed {
  readonly tail: Pick<Tail, 'waitForEvents'>
  /** Where the log ends, as far as is known here. */
  readonly head: () => LogEnd
  /** False when another log is served now. */
  readonly isLive: () => boolean
  /** What is to be sent of what is behind a position; null where the caller has no access any more. */
  readonly next: (position: number) => Promise<Batch | null>
}

/** Frames of server-sent events, perhaps none, of all that there is up to a position. */
export interface Batch {
  readonly frames: string
  readonly position: number
}

/** The changes behind a position as somebody may see them, who is looked up behind the reading: what took access away counts. */
export function changesFor(
  tail: Pick<Tail, 'after'>,
  head: Followed['head'],
  callerNow: () => Promise<Caller | null>
): Followed['next'] {
  return async (position) => {
    const entries = await tail.after(position)
    const caller = await callerNow()
    if (!caller) return null
    return { frames: framesOf(entries, caller, head()), position: entries.at(-1)?.change.position ?? position }
  }
}

export interface FollowOptions {
  readonly heartbeat_ms?: number
  /** How long a client may take nothing of what waits for it. */
  readonly stall_ms?: number
  /** How long a client that does not read may keep a stream that has ended. */
  readonly linger_ms?: number
}

/**
 * Sends what happens behind a position, each page with the access of its moment, until the client leaves, its access ends,
 * another log is served, this one is put back to before what was sent, or `ended` is aborted: then a client that does not
 * read is not waited for either.
 */
export async function follow(
  response: ServerResponse,
  start: number,
  { tail, head, isLive, next }: Followed,
  ended: AbortSignal,
  { heartbeat_ms = HEARTBEAT_MS, stall_ms = STALL_MS, linger_ms = LINGER_MS }: FollowOptions = {}
): Promise<void> {
  let position = start
  const stream = openEventStream(response, {
    heartbeat_ms,
    stall_ms,
    linger_ms,
    ended,
    // With the place, and no data: a client that comes back is not shown again what it was not to see.
    heartbeat: () => `: heartbeat\nid: ${cursorOf(position, head())}\n\n`
  })
  const over = AbortSignal.any([ended, stream.left])
  await stream.write(`id: ${cursorOf(position, head())}\n\n`)
  while (!over.aborted && isLive() && head().position >= position) {
    await tail.waitForEvents(position, over)
    if (over.aborted || head().position <= position) continue
    const batch = await next(position)
    if (!batch) break
    position = batch.position
    if (batch.frames !== '') await stream.write(batch.frames)
  }
  if (ended.aborted) await stream.write(': shutdown\n\n')
  await stream.end([])
}

function framesOf(entries: readonly FeedEntry[], caller: Caller, head: LogEnd): string {
  let frames = ''
  for (const entry of entries) {
    const change = seenBy(entry, caller)
    if (change) frames += `id: ${cursorOf(change.position, head)}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`
  }
  return frames
}
