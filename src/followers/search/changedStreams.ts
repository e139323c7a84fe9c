import { z } from 'zod'
import { contents } from '../../../commands/content.js'
import { codec } from '../../../commands/index.js'
import { erasureEvents } from '../../../commands/log/erasure/events.js'
import { kindOfStream, kinds } from '../../../commands/records/kinds.js'
import { membersIn } from '../../../queries/tombstones.js'
import { decoded } from '../../log/codec.js'
import type { EventHeader } from '../../log/event.js'
import { eventsAt } from '../../log/pages.js'
import type { Storage } from '../../storage/storage.js'

/** What some events may have changed: streams of records with their last own event there, and streams whose records are gone. */
export interface ChangedStreams {
  readonly changed: ReadonlyMap<string, number>
  readonly gone: ReadonlySet<string>
}

const ERASED = 'PayloadsErased'
const VALUE_ERASED = 'ValueErased'
const others = z.object(contents)

/** True for an event that takes texts out of the log, which the index may have had. */
export function isErasure({ type }: Pick<EventHeader, 'type'>): boolean {
  return type === ERASED || type === VALUE_ERASED
}

/** The types of event that set something of a record that stands in a stream; none where no record does. */
export function stepsOf(stream: string): readonly string[] {
  const kind = kindOfStream(stream)
  if (!kind) return []
  const { makes, changes } = kinds[kind].steps
  return [...makes, ...changes.flat()]
}

/** Streams of records with their last own event among these, which come in their order. */
export function changedBy(
  events: readonly Pick<EventHeader, 'position' | 'stream' | 'type'>[]
): ReadonlyMap<string, number> {
  const steps = events.filter(({ stream, type }) => stepsOf(stream).includes(type))
  return new Map(steps.map(({ stream, position }) => [stream, position]))
}

/** What these events may have changed, in whose order they come. */
export async function changedStreams(
  storage: Pick<Storage, 'readAt'>,
  events: readonly Pick<EventHeader, 'position' | 'stream' | 'type'>[]
): Promise<ChangedStreams> {
  const changed = changedBy(events)
  const gone = new Set<string>()
  const telling = events.filter(({ type }) => type === ERASED || type.endsWith('Deleted'))
  for await (const event of eventsAt(storage, telling)) {
    const kind = kindOfStream(event.stream)
    if (kind) gone.add(event.stream)
    if (event.payload.text === null) continue
    const { data } = decoded(event, codec)
    if (event.type === ERASED) {
      // What an erased deletion took with it is not told any more, but what was erased with it is.
      const { positions } = erasureEvents.PayloadsErased.data.parse(data)
      const erased = positions.map((position) => ({ position }))
      for await (const { stream } of eventsAt(storage, erased)) if (kindOfStream(stream)) gone.add(stream)
    } else if (kind === 'collection' || kind === 'folder') {
      for (const member of membersIn(others.parse(data))) gone.add(`${member.kind}-${member.id}`)
    }
  }
  return { changed, gone }
}
