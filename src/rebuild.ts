import { randomUUID } from 'node:crypto'
import { codec } from '../commands/index.js'
import { emitProjections, projectionEvents } from '../commands/projections/events.js'
import { SYSTEM_ID, SYSTEM_NAME } from '../commands/user/system.js'
import { FIRST_VERSIONS, versions } from '../projections/index.js'
import { type ReadEvents, replay } from '../projections/replay.js'
import { recorded } from './log/batch.js'
import type { Head } from './log/event.js'
import { placed } from './log/place.js'
import type { Storage } from './storage/storage.js'

const ATTEMPTS_MAX = 1000
const STREAM = 'projections-live'
const SWITCHES_MAX = 10_000
const cause = { actorId: SYSTEM_ID, actorName: SYSTEM_NAME, tokenId: null, address: null, requestId: null }

/** Events of a log, as projectors see them. */
export function eventsIn(storage: Storage): ReadEvents {
  return async (after, limit) => (await storage.readOccurrences(after, limit)).map((event) => recorded(event, codec))
}

/** What the live read tables were built with: the version of each projector, and how often they were switched. */
export async function liveProjections(storage: Storage) {
  const switches = await storage.readStream(STREAM, 0, SWITCHES_MAX)
  const last = switches.at(-1)
  const built = last?.payload.text
    ? projectionEvents.ProjectionsSwitched.data.parse(codec.decode(last.type, last.schema, last.payload.text)).versions
    : FIRST_VERSIONS
  return { built, switches: switches.length, generation: (await storage.head()).generation }
}

/** The read tables whose projector has changed since the live ones were built. */
export async function outdated(storage: Storage): Promise<readonly string[]> {
  const { built } = await liveProjections(storage)
  return Object.entries(versions).flatMap(([table, version]) => (built[table] === version ? [] : [table]))
}

/**
 * Builds every read table anew from the log, beside the live ones, and makes the new ones live with one event. Writers go
 * on meanwhile: the switch is a commit at the head like any other, so whoever writes to the old tables after it finds the
 * position taken and learns of the new ones. The old generation stays until it is pruned. Returns the new generation.
 */
export function rebuild(storage: Storage, progress: (position: number) => void = () => {}): Promise<number> {
  return storage.schema.exclusively(async () => {
    const { generation: from } = await storage.head()
    const to = from + 1
    const read = eventsIn(storage)
    await storage.createGeneration(to)
    let position = 0
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const head = await storage.head()
      position = await replay(storage, read, to, position, head.position, progress)
      if (await switched(storage, head, to)) return to
    }
    throw new Error('The log grows faster than it can be replayed. Try again when less is written.')
  }, 'rebuild')
}

/** Drops the generation before the live one, and so the way back to it. Returns its number, or null where it is gone. */
export async function prune(storage: Storage): Promise<number | null> {
  const { generation } = await storage.head()
  if (generation <= 1) return null
  await storage.dropGeneration(generation - 1)
  return generation - 1
}

async function switched(storage: Storage, after: Head, to: number): Promise<boolean> {
  const { switches } = await liveProjections(storage)
  const event = emitProjections('live', 'ProjectionsSwitched', {
    from: after.generation,
    to,
    versions: { ...versions }
  })
  const happening = { events: [event], cause, commandId: randomUUID(), now: Date.now() }
  const [stored] = placed(happening, after, codec, new Map([[STREAM, switches]]))
  if (!stored) return false
  const head = { position: stored.position, chain: stored.chain, at: stored.at, generation: to }
  return (await storage.commit({ after, events: [stored], ops: [], head })) === 'committed'
}
