import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { codec } from '../commands/index.js'
import { emitProjections, projectionEvents } from '../commands/projections/events.js'
import { SYSTEM_ID, SYSTEM_NAME } from '../commands/user/system.js'
import { FIRST_VERSIONS, project, versions } from '../projections/index.js'
import { type ReadEvents, replay } from '../projections/replay.js'
import { eventsIn } from './events.js'
import { LIMITS } from './limits.js'
import { canonicalJson } from './log/canonical.js'
import type { Head } from './log/event.js'
import { placed } from './log/place.js'
import type { Link } from './log/sealing.js'
import { WHOLE_LOG } from './storage/search.js'
import type { Build, RowOp, Storage } from './storage/storage.js'

const ATTEMPTS_MAX = 1000
/** So many events may go with the commit of a switch. */
const TAIL_MAX = 100
const STREAM = 'projections-live'
const cause = { actorId: SYSTEM_ID, actorName: SYSTEM_NAME, tokenId: null, address: null, requestId: null }

/**
 * Remembers that the read tables of an empty log were made by this version; the log itself stays empty, so that another
 * hub's can be imported.
 */
export async function rememberMade(storage: Storage): Promise<void> {
  const { position, generation } = await storage.head()
  if (position > 0 || (await storage.buildOf(generation)) !== null) return
  await storage.apply(generation, [], { position, label: BUILT_HERE })
}

/** What the live read tables were built with: the version of each projector, how often they were switched, and from which. */
export async function liveProjections(storage: Storage) {
  const { generation } = await storage.head()
  const { versions: told, ...last } = await lastSwitch(storage)
  // What is remembered of the tables themselves comes first: the switches of an imported log happened in another database.
  const remembered = versionsIn((await storage.buildOf(generation))?.label)
  return { built: remembered ?? told, ...last, generation }
}

async function lastSwitch(storage: Storage) {
  const [newest] = await storage.searchLog({ streams: [STREAM] }, WHOLE_LOG, 1, true)
  const [last] = newest ? await storage.readAt([newest.position]) : []
  const data = last?.payload.text
    ? projectionEvents.ProjectionsSwitched.data.parse(codec.decode(last.type, last.schema, last.payload.text))
    : null
  return { versions: data?.versions ?? FIRST_VERSIONS, previous: data?.from ?? null, switches: last?.version ?? 0 }
}

/** The read tables whose projector has changed since the live ones were built. */
export async function outdated(storage: Storage): Promise<readonly string[]> {
  return changedSince((await liveProjections(storage)).built)
}

/** The same by the log alone, for a database that lacks later migrations. */
export async function outdatedByLog(storage: Storage): Promise<readonly string[]> {
  return changedSince((await lastSwitch(storage)).versions)
}

function changedSince(built: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(versions).flatMap(([table, version]) => (built[table] === version ? [] : [table]))
}

/**
 * Builds every read table anew from the log, beside the live ones, and makes the new ones live with one event. Writers go
 * on meanwhile: the switch is a commit at the head like any other, so whoever writes to the old tables after it finds the
 * position taken and learns of the new ones. One that was interrupted goes on where it was. The old generation stays until
 * it is pruned, or another one is the old one. Returns the new generation. `window` is after how many events it is remembered
 * how far it has come; `link` is how events are linked.
 */
export function rebuild(
  storage: Storage,
  progress: (position: number) => void = () => {},
  window?: number,
  link?: Link
): Promise<number> {
  return storage.schema.exclusively(async () => {
    const { generation, position } = await storage.head()
    const to = generation + 1
    const begun = await storage.buildOf(to)
    const label = BUILT_HERE
    const goesOn = begun?.label === label
    const from = goesOn ? begun.position : 0
    // The first events are read and projected while the tables are made.
    const ready = goesOn ? undefined : storage.createGeneration(to)
    ready?.catch(() => {})
    const stretch = { generation: to, from, to: position, label, window, ready }
    const filled = await replay(storage, eventsIn(storage), stretch, progress)
    await storage.completeGeneration(to)
    await makeLive(storage, to, { position: filled, label }, progress, { window, link })
    return to
  }, 'rebuild')
}

/** There is no generation to go back to; the message says why, and what to do. */
export class NoWayBack extends Error {
  override readonly name = 'NoWayBack'
}

/**
 * Makes the generation live again that was live before the last switch, once it has what happened since. Returns its number;
 * throws `NoWayBack` where it is gone, or was built by another version of the hub.
 */
export function rollback(
  storage: Storage,
  progress: (position: number) => void = () => {},
  link?: Link
): Promise<number> {
  return storage.schema.exclusively(async () => {
    const { previous } = await liveProjections(storage)
    if (previous === null) throw new NoWayBack('The read tables were never switched.')
    const left = await storage.buildOf(previous)
    if (!left) throw new NoWayBack(`Generation ${previous} is gone. Run hub projections rebuild.`)
    if (left.label !== labelOf('left', versions))
      throw new NoWayBack(
        `Generation ${previous} was built by another version of the hub. Run hub projections rebuild.`
      )
    await makeLive(storage, previous, left, progress, { link })
    return previous
  }, 'rebuild')
}

/** Brings a generation up to the end of the log and switches to it. */
async function makeLive(
  storage: Storage,
  to: number,
  from: Build,
  progress: (position: number) => void,
  { window, link }: { readonly window?: number | undefined; readonly link?: Link | undefined }
): Promise<void> {
  const read = eventsIn(storage)
  const { built, switches } = await liveProjections(storage)
  let { position } = from
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const head = await storage.head()
    // What was written last goes with the switch itself: busy writers leave little time between a look and a commit.
    const tail = head.position - position > TAIL_MAX ? null : await changesIn(read(position, head.position))
    if (!tail) {
      const stretch = { generation: to, from: position, to: head.position, label: from.label, window }
      position = await replay(storage, read, stretch, progress)
      continue
    }
    if (!(await switched(storage, head, to, tail, switches, link))) continue
    // The way back: how far the tables that were live until now have come.
    await storage.apply(head.generation, [], { position: head.position, label: labelOf('left', built) })
    await dropAllBut(storage, new Set([to, head.generation]))
    return
  }
  throw new Error('The log grows faster than it can be replayed. Try again when less is written.')
}

/** The row changes of these events; null where their bodies are more than a page. */
async function changesIn(pages: ReturnType<ReadEvents>): Promise<readonly RowOp[] | null> {
  const ops: RowOp[] = []
  let length = 0
  for await (const events of pages) {
    for (const op of events.flatMap(project)) {
      ops.push(op)
      length += op.op === 'put' ? op.row.body.length : 0
    }
    if (length > LIMITS.page.max) return null
  }
  return ops
}

/** What is remembered of a generation that this version builds. */
export const BUILT_HERE = labelOf('building', versions)

/** What is remembered of a generation: whether it is being built or was live, and by which versions of the projectors. */
function labelOf(state: 'building' | 'left', by: Readonly<Record<string, number>>): string {
  return `${state} ${canonicalJson(by)}`
}

const labelled = /^(?:building|left) (\{.*\})$/
const builtWith = z.record(z.string(), z.number())

function versionsIn(label: string | undefined): Readonly<Record<string, number>> | null {
  const versions = labelled.exec(label ?? '')?.[1]
  return versions === undefined ? null : builtWith.parse(JSON.parse(versions))
}

/** Drops what is not live, and so the way back. Returns the number of the generation that was live before, or null. */
export async function prune(storage: Storage): Promise<number | null> {
  const { previous, generation } = await liveProjections(storage)
  await dropAllBut(storage, new Set([generation]))
  return previous
}

/** Drops every generation that was built but these: nobody can go back to it. */
async function dropAllBut(storage: Storage, kept: ReadonlySet<number>): Promise<void> {
  const last = Math.max(...kept) + 1
  for (let generation = 1; generation <= last; generation++) {
    if (kept.has(generation) || (await storage.buildOf(generation)) === null) continue
    await storage.dropGeneration(generation)
  }
}

async function switched(
  storage: Storage,
  after: Head,
  to: number,
  ops: readonly RowOp[],
  switches: number,
  link?: Link
) {
  const data = { from: after.generation, to, versions: { ...versions } }
  const event = emitProjections('live', 'ProjectionsSwitched', data)
  const happening = { events: [event], cause, commandId: randomUUID(), now: Date.now() }
  const events = placed(happening, after, codec, new Map([[STREAM, switches]]), link)
  const { position, chain, at } = events.at(-1) ?? after
  const head = { position, chain, at, generation: to }
  return (await storage.commit({ after, events, ops, head })) === 'committed'
}
