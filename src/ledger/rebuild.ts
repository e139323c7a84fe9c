import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { codec } from '../../commands/index.js'
import { emitProjections, projectionEvents } from '../../commands/log/projections/events.js'
import { SYSTEM_ID, SYSTEM_NAME } from '../../commands/people/user/system.js'
import { FIRST_VERSIONS, project, versions } from '../../projections/index.js'
import { type ReadEvents, replay } from '../../projections/replay.js'
import { LIMITS } from '../limits.js'
import { canonicalJson } from '../log/canonical.js'
import type { Link } from '../log/chain.js'
import type { Head } from '../log/event.js'
import { WHOLE_LOG } from '../storage/search.js'
import { BuildLost, type Fence, type RowOp, type Storage, type Switch } from '../storage/storage.js'
import { eventsIn } from './events.js'
import { isNewerSchema, Superseded, WRITTEN_HERE, writingOf } from './release.js'
import { withPositions } from './sequencing.js'

const ATTEMPTS_MAX = 1000
/** So many events may go with the commit of a switch. */
const TAIL_MAX = 100
const STREAM = 'projections-live'
const cause = { actorId: SYSTEM_ID, actorName: SYSTEM_NAME, tokenId: null, address: null, requestId: null }

/** What the live read tables were built with: the version of each projector, how often they were switched, and from which. */
export async function liveProjections(storage: Storage) {
  const head = await storage.head()
  const { generation } = head
  const { versions: told, ...last } = await lastSwitch(storage)
  // What the head says comes first: the switches of an imported log happened in another database. Earlier releases said it
  // nowhere but in what is remembered of the tables themselves.
  const remembered = writingOf(head)?.projections ?? versionsIn((await storage.buildOf(generation))?.label)
  return { built: remembered ?? told, ...last, generation }
}

/** How far the generation behind the live one is whose build is under way, or was interrupted; null where there is none. */
export async function buildUnderWay(storage: Pick<Storage, 'buildOf'>, live: number) {
  const generation = live + 1
  const build = await storage.buildOf(generation)
  return build?.label.startsWith('building ') ? { generation, position: build.position } : null
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

/** What `outdated` returns, read from the log alone, for a database that lacks later migrations. */
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
 * how far it has come; `link` is how events are linked. Throws `BuildLost` where another process has taken the build over, and
 * `Superseded` where another release has taken the log over.
 */
export async function rebuild(
  storage: Storage,
  progress: (position: number) => void = () => {},
  window?: number,
  link?: Link
): Promise<number> {
  const first = await storage.head()
  return storage.schema.exclusively(() => rebuilt(storage, first, progress, { window, link }), 'rebuild')
}

/** Rebuilds as `rebuild` does; null where the tables are this version's, as when another process has done it meanwhile. */
export async function rebuildOutdated(
  storage: Storage,
  progress: (position: number) => void,
  link: Link
): Promise<number | null> {
  const first = await storage.head()
  return storage.schema.exclusively(
    async () => ((await outdated(storage)).length === 0 ? null : rebuilt(storage, first, progress, { link })),
    'rebuild'
  )
}

interface How {
  readonly window?: number | undefined
  readonly link?: Link | undefined
}

async function rebuilt(storage: Storage, first: Head, progress: (position: number) => void, how: How): Promise<number> {
  const { generation, position } = await headAsAt(storage, first)
  const to = generation + 1
  // Before anything else: what others begin later is theirs.
  const others = await buildsBut(storage, new Set([generation, to]))
  const begun = await storage.buildOf(to)
  const over = begun?.builder ?? null
  const taken = begun?.label === BUILT_HERE ? await storage.takeOver(to, over) : null
  // The first events are read and projected while the tables are made.
  const builder = taken?.builder ?? storage.createGeneration(to, over, BUILT_HERE)
  if (typeof builder !== 'string') builder.catch(() => {})
  const range = { generation: to, builder, from: taken?.position ?? 0, to: position, window: how.window }
  const filled = await replay(storage, eventsIn(storage), range, progress).catch(async (error: unknown) => {
    // Where there are no tables, nothing else that went wrong matters.
    await builder
    throw error
  })
  const fence = { generation: to, builder: await builder, position: filled }
  await makeLive(storage, fence, first, progress, how)
  await dropAll(storage, others)
  return to
}

/** There is no generation to go back to; the message says why, and what to do. */
export class NoWayBack extends Error {
  override readonly name = 'NoWayBack'
}

/**
 * Makes the generation live again that was live before the last switch, once it has what happened since. Returns its number;
 * throws `NoWayBack` where it is gone, or was built by another version of the hub.
 */
export async function rollback(
  storage: Storage,
  progress: (position: number) => void = () => {},
  link?: Link
): Promise<number> {
  const first = await storage.head()
  return storage.schema.exclusively(async () => {
    const { previous, generation } = await liveProjections(storage)
    if (previous === null) throw new NoWayBack('The read tables were never switched.')
    const left = await storage.buildOf(previous)
    if (!left || left.label === '') throw new NoWayBack(`Generation ${previous} is gone. Run hub projections rebuild.`)
    if (left.label !== labelOf('left', versions))
      throw new NoWayBack(
        `Generation ${previous} was built by another version of the hub. Run hub projections rebuild.`
      )
    const others = await buildsBut(storage, new Set([previous, generation]))
    const { builder, position } = await storage.takeOver(previous, left.builder)
    await makeLive(storage, { generation: previous, builder, position }, first, progress, { link })
    await dropAll(storage, others)
    return previous
  }, 'rebuild')
}

/** The head, as long as the log is written under what it was at first, or by this release. */
async function headAsAt(storage: Storage, first: Head): Promise<Head> {
  const head = await storage.head()
  const isSame = head.writtenUnder === first.writtenUnder || head.writtenUnder === WRITTEN_HERE
  if (!isSame || isNewerSchema(head)) throw new Superseded(head)
  return head
}

/** Brings a generation up to the end of the log and switches to it. */
async function makeLive(
  storage: Storage,
  { generation: to, builder, position: from }: Fence,
  first: Head,
  progress: (position: number) => void,
  { window, link }: How
): Promise<void> {
  const read = eventsIn(storage)
  const { built, switches } = await liveProjections(storage)
  // The way back: by what the tables were built that were live until now.
  const left = labelOf('left', built)
  let position = from
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const head = await headAsAt(storage, first)
    // What was written last goes with the switch itself: busy writers leave little time between a look and a commit.
    const tail = head.position - position > TAIL_MAX ? null : await changesIn(read(position, head.position))
    if (!tail) {
      const range = { generation: to, builder, from: position, to: head.position, window }
      position = await replay(storage, read, range, progress)
      continue
    }
    const change = { fence: { generation: to, builder, position }, left }
    if (await switched(storage, head, change, tail, switches, link)) return
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
export function prune(storage: Storage): Promise<number | null> {
  return storage.schema.exclusively(async () => {
    const { previous, generation } = await liveProjections(storage)
    await dropAll(storage, await buildsBut(storage, new Set([generation])))
    return previous
  }, 'rebuild')
}

/** Every generation there is but these, with whose it is now: nobody can go back to it. */
async function buildsBut(storage: Storage, kept: ReadonlySet<number>) {
  const found: { readonly generation: number; readonly builder: string | null }[] = []
  const last = Math.max(...kept) + 1
  for (let generation = 1; generation <= last; generation++) {
    const build = kept.has(generation) ? null : await storage.buildOf(generation)
    if (build && build.label !== '') found.push({ generation, builder: build.builder })
  }
  return found
}

/** Drops generations, but those that have become somebody else's meanwhile. */
async function dropAll(storage: Storage, found: Awaited<ReturnType<typeof buildsBut>>): Promise<void> {
  for (const { generation, builder } of found) {
    try {
      await storage.dropGeneration(generation, builder)
    } catch (error) {
      if (!(error instanceof BuildLost)) throw error
    }
  }
}

async function switched(
  storage: Storage,
  after: Head,
  change: Switch,
  ops: readonly RowOp[],
  switches: number,
  link?: Link
) {
  const to = change.fence.generation
  const data = { from: after.generation, to, versions: { ...versions } }
  const event = emitProjections('live', 'ProjectionsSwitched', data)
  const happening = { events: [event], cause, commandId: randomUUID(), now: Date.now() }
  const events = withPositions(happening, after, codec, new Map([[STREAM, switches]]), link)
  const { position, chain, at } = events.at(-1) ?? after
  const head = { position, chain, at, generation: to, writtenUnder: WRITTEN_HERE }
  return (await storage.commit({ after, events, ops, head, switch: change })) === 'committed'
}
