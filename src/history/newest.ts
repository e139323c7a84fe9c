import { slices } from '../limits.js'
import type { EventHeader } from '../log/event.js'
import type { Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'

const STREAMS_MAX = 500
/** Of most streams this is all there is. */
const RECENT = 16

/** What is remembered of an event that a row was made of. */
export type EventRef = Pick<EventHeader, 'position' | 'version' | 'type' | 'at' | 'actorId'>

/** The newest event of these types in a stream, at or before a position. */
export interface NewestQuery {
  readonly stream: string
  readonly types: readonly string[]
  readonly at: number
}

/** Finds newest events; what was found is good for every moment up to the one that it was asked for. */
export type Finder = (asked: readonly NewestQuery[]) => Promise<readonly (EventRef | null)[]>

/**
 * Finds the newest events of many streams at one moment by few questions, and of few streams at many moments by one question
 * for each range between two events, whichever of the two is asked for.
 */
export function finder(storage: Pick<Storage, 'lastOf' | 'searchLog'>): Finder {
  const known = new Map<string, { readonly from: number; readonly to: number; readonly step: EventRef | null }>()

  const recent = new Map<string, { readonly to: number; readonly headers: readonly EventHeader[] }>()

  /** The answer where the last events of the stream have it; undefined where it may lie further back. */
  const amongRecent = async ({ stream, types, at }: NewestQuery): Promise<EventRef | null | undefined> => {
    let last = recent.get(stream)
    if (!last || at > last.to || (last.headers.at(-1)?.position ?? 0) > at) {
      const headers = await storage.searchLog({ streams: [stream] }, { after: 0, through: at }, RECENT, true)
      last = { to: at, headers }
      recent.set(stream, last)
      await giveWay()
    }
    const found = last.headers.find((header) => header.position <= at && types.includes(header.type))
    if (found) return stepOf(found)
    return last.headers.length < RECENT ? null : undefined
  }

  const alone = async (asked: NewestQuery): Promise<EventRef | null> => {
    const near = await amongRecent(asked)
    if (near !== undefined) return near
    const { stream, types, at } = asked
    const key = `${stream} ${types.join(' ')}`
    const last = known.get(key)
    if (last && last.from <= at && at <= last.to) return last.step
    const [found] = await storage.searchLog({ streams: [stream], types }, { after: 0, through: at }, 1, true)
    const step = found ? stepOf(found) : null
    known.set(key, { from: found?.position ?? 0, to: at, step })
    await giveWay()
    return step
  }

  const together = async (group: readonly NewestQuery[]): Promise<ReadonlyMap<string, EventRef>> => {
    const found = new Map<string, EventRef>()
    const [first] = group
    if (!first) return found
    const streams = [...new Set(group.map(({ stream }) => stream))]
    await giveWay()
    for (const some of slices(streams, STREAMS_MAX)) {
      for (const header of await storage.lastOf(some, first.types, first.at)) found.set(header.stream, stepOf(header))
      await giveWay()
    }
    return found
  }

  return async (asked) => {
    const groups = new Map<string, NewestQuery[]>()
    for (const one of asked) {
      const key = `${one.at} ${one.types.join(' ')}`
      const group = groups.get(key)
      if (group) group.push(one)
      else groups.set(key, [one])
      await giveWay()
    }
    const answers = new Map<NewestQuery, EventRef | null>()
    for (const group of groups.values()) {
      const [only] = group
      if (only && group.length === 1) {
        answers.set(only, await alone(only))
        continue
      }
      const found = await together(group)
      for (const one of group) answers.set(one, found.get(one.stream) ?? null)
      await giveWay()
    }
    return asked.map((one) => answers.get(one) ?? null)
  }
}

function stepOf({ position, version, type, at, actorId }: EventHeader): EventRef {
  return { position, version, type, at, actorId }
}
