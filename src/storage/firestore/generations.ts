import { randomUUID } from 'node:crypto'
import { slices } from '../../limits.js'
import { isBulk } from '../rowOps.js'
import { type Build, BuildLost, type Fence, type RowOp } from '../storage.js'
import type { Client } from './client.js'
import { Refused, withRetry } from './errors.js'
import { BUILDS, lastOf, numberId } from './layout.js'
import type { RowPlace } from './parts.js'
import { resolveStored } from './rowChanges.js'
import { mayMissRow, noteParts, present, type RowWrites, rowWrites } from './rows.js'
import { decode, encode, type Fields, integerOf, textOf } from './values.js'
import { type Document, isSameTime, requestSize, type ServerTime, type Write } from './wire.js'

// What fills or removes a generation goes out in many requests. Each of them asks that the document of the build is the one
// that its builder knows: it is written as it is, which changes nothing and is refused where somebody else has written it.

const ATTEMPTS_MAX = 6
/** What one of the requests has at most. */
const WRITES_MAX = 400
const BYTES_MAX = 2 * 1024 * 1024
const AT_ONCE = 3

/** Where it is remembered how far a generation has come, beside the log. */
export const buildName = (aside: string, generation: number) => `${aside}/${BUILDS}/${numberId(generation)}`

/** A builder's hold on a generation. Everything done through it throws `BuildLost` once the generation is another's. */
export interface Hold {
  /** All or nothing, as a client's commit. It may happen twice. */
  commit(writes: readonly Write[]): Promise<void>
  /** Changes some fields of the build itself. */
  change(fields: Fields): Promise<void>
  /** When the build's document last changed, read anew. */
  updateTime(): Promise<ServerTime>
}

/** How far a generation has come; null where nothing is known of it. */
export async function readBuild(client: Client, name: string): Promise<Build | null> {
  const document = await read(client, name)
  return document ? buildIn(document) : null
}

/** The hold of the builder of a fence; `position` is not looked at where it is left out. */
export function holdOf(client: Client, name: string, fence: Omit<Fence, 'position'> & Partial<Fence>): Hold {
  const { generation, builder, position } = fence
  let known: ServerTime | undefined
  const updateTime = async () => {
    const document = await read(client, name)
    const build = document && buildIn(document)
    const isHeld = build?.builder === builder && (position === undefined || build.position === position)
    if (!document || !isHeld) throw new BuildLost(generation)
    known = document.updateTime
    return known
  }
  const persistently = async (writesAt: (time: ServerTime) => readonly Write[]) => {
    for (let attempt = 1; ; attempt++) {
      const time = known ?? (await updateTime())
      try {
        await withRetry(() => client.commit(writesAt(time)))
        return
      } catch (error) {
        if (!(error instanceof Refused) || attempt === ATTEMPTS_MAX) throw error
        // Where the build is as it was, something else was refused.
        if (isSameTime(await updateTime(), time) && error.why !== 'contended') throw error
      }
    }
  }
  return {
    commit: (writes) =>
      persistently((time) => [
        { set: name, fields: { builder: encode(builder) }, mask: ['builder'], only: { updateTime: time } },
        ...writes
      ]),
    change: (fields) =>
      persistently((time) => [{ set: name, fields, mask: Object.keys(fields), only: { updateTime: time } }]),
    updateTime
  }
}

/**
 * Takes a generation over from `over`, null for nobody, and returns the new builder. Throws `BuildLost` where it is another's by
 * now, or where `isLive` says that it is read.
 */
export async function claim(
  client: Client,
  name: string,
  generation: number,
  over: string | null,
  isLive: () => Promise<boolean>
): Promise<string> {
  const document = await read(client, name)
  // In this order: a switch after the first look changes the document.
  const isOthers = ((document && buildIn(document).builder) ?? null) !== over
  if (isOthers || (await isLive())) throw new BuildLost(generation)
  const builder = randomUUID()
  const fields = { builder: encode(builder), ...(!document && { position: encode(0), label: encode('') }) }
  const only = document ? { updateTime: document.updateTime } : { exists: false }
  try {
    await client.commit([{ set: name, fields, mask: Object.keys(fields), only }])
  } catch (error) {
    if (error instanceof Refused) throw new BuildLost(generation, { cause: error })
    throw error
  }
  return builder
}

/** What makes a generation the live one in the commit that says so, and remembers the one that was live before. */
export function switchWrites(
  aside: string,
  { generation, position, label }: { readonly generation: number; readonly position: number; readonly label: string },
  to: Fence,
  updateTime: ServerTime
): readonly Write[] {
  const nobodys = () => encode(randomUUID())
  const left = { position: encode(position), label: encode(label), builder: nobodys() }
  return [
    { set: buildName(aside, to.generation), fields: { builder: nobodys() }, mask: ['builder'], only: { updateTime } },
    { set: buildName(aside, generation), fields: left }
  ]
}

async function read(client: Client, name: string): Promise<Document | undefined> {
  return (await client.get([name])).documents[0]
}

function buildIn({ fields }: Document): Build {
  return {
    position: integerOf(fields.position) ?? 0,
    label: decode('flag', fields.isUnfinished) === true ? '' : (textOf(fields.label) ?? ''),
    builder: textOf(fields.builder)
  }
}

/** Removes everything below a document, whichever version of the hub has put it there, as long as it is held. */
export async function removeBelow(client: Client, parent: string, hold: Pick<Hold, 'commit'>): Promise<void> {
  const collections = await client.collections(parent)
  await Promise.all(collections.map((collection) => removeCollection(client, parent, collection, hold)))
}

async function removeCollection(
  client: Client,
  parent: string,
  collection: string,
  hold: Pick<Hold, 'commit'>
): Promise<void> {
  for (;;) {
    const { documents } = await client.query(parent, { collection, limit: WRITES_MAX, fields: [] })
    const removals = documents.map(({ name }) => ({ remove: name }))
    if (removals.length > 0) await hold.commit(removals)
    if (documents.length < WRITES_MAX) return
  }
}

/** Commits that ask for no builder: for what is to go, whoever fills it. */
export function unheld(client: Client): Pick<Hold, 'commit'> {
  return {
    async commit(writes) {
      await withRetry(() => client.commit(writes))
    }
  }
}

/** The numbers of the generations of which anything is known. */
export async function readGenerations(client: Client, aside: string): Promise<readonly number[]> {
  const { documents } = await client.query(aside, { collection: BUILDS, fields: [] })
  return documents.map(({ name }) => Number(lastOf(name)))
}

/**
 * Applies row changes to a generation, which nobody reads yet, in as many requests as they need, and remembers
 * that they take it up to `position`. What is refused is refused before the first of them. A process can end between two: rows
 * that are named can be written again without harm. Bulk changes cannot, since they would find rows that were not there the
 * first time: with those, nobody can go on before all of it is done.
 */
export async function applyTo(place: RowPlace, hold: Hold, ops: readonly RowOp[], position: number): Promise<void> {
  const { client, parent, known } = place
  if (ops.some(isBulk)) await hold.change({ isUnfinished: encode(true) })
  const { changes, clash } = await resolveStored(place, ops)
  if (clash !== null) throw new Error(clash)
  // Each row whole in one of the requests.
  const batches = slices(await rowWrites(parent, changes, known), WRITES_MAX, 1, shareOf)
  const worker = async () => {
    for (const batch of batches) noteParts(known, await write(client, batch, hold))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await hold.change({ position: encode(position), isUnfinished: encode(false) })
}

/** How much of a request a row takes, of which 1 is all. */
function shareOf({ writes }: RowWrites): number {
  return Math.max(writes.length / WRITES_MAX, requestSize(writes) / BYTES_MAX)
}

async function write(client: Client, batch: readonly RowWrites[], { commit }: Hold) {
  try {
    await commit(writesOf(batch))
    return batch
  } catch (error) {
    if (!mayMissRow(error)) throw error
    const rows = await present(client, batch)
    if (rows.length > 0) await commit(writesOf(rows))
    return rows
  }
}

function writesOf(rows: readonly RowWrites[]): readonly Write[] {
  return rows.flatMap(({ writes }) => writes)
}
