import { randomUUID } from 'node:crypto'
import type { Timestamp } from '@google-cloud/firestore'
import { slices } from '../../limits.js'
import { isBulk } from '../rowOps.js'
import { type Build, BuildLost, type Fence, type RowOp } from '../storage.js'
import type { Client, Document } from './client.js'
import { Refused } from './errors.js'
import { BUILDS, lastOf, numberId } from './layout.js'
import type { RowPlace } from './parts.js'
import { resolveStored } from './rowChanges.js'
import { mayMissRow, noteParts, present, type RowWrites, rowWrites } from './rows.js'
import { type Fields, integerOf, textOf } from './values.js'
import { replacing, requestSize, type Write } from './writes.js'

// What fills or removes a generation goes out in many requests. Each of them asks that the document of the build is the one
// that its builder knows: it is written as it is, which changes nothing and is refused where somebody else has written it.

const ATTEMPTS_MAX = 6
/** How often the client may send one of the requests, each of which may happen twice. */
const SENT_MAX = 3
/** What one of the requests has at most. */
const WRITES_MAX = 400
const BYTES_MAX = 2 * 1024 * 1024
const AT_ONCE = 3

/** Where it is remembered how far a generation has come, beside the log. */
export const buildPath = (aside: string, generation: number) => `${aside}/${BUILDS}/${numberId(generation)}`

/** How what can be done twice is committed: by whoever holds a generation, or by the client for what is to go, whoever fills it. */
export interface Committer {
  commit(writes: readonly Write[], attempts?: number): Promise<void>
}

/** A builder's hold on a generation. Everything done through it throws `BuildLost` once the generation is another's. */
export interface Hold extends Committer {
  /** Changes some fields of the build itself. */
  change(fields: Fields): Promise<void>
  /** When the build's document last changed, read anew. */
  updateTime(): Promise<Timestamp>
}

/** How far a generation has come; null where nothing is known of it. */
export async function readBuild(client: Client, path: string): Promise<Build | null> {
  const document = await read(client, path)
  return document ? buildIn(document) : null
}

/** The hold of the builder of a fence; `position` is not looked at where it is left out. */
export function holdOf(client: Client, path: string, fence: Omit<Fence, 'position'> & Partial<Fence>): Hold {
  const { generation, builder, position } = fence
  let known: Timestamp | undefined
  const updateTime = async () => {
    const document = await read(client, path)
    const build = document && buildIn(document)
    const isHeld = build?.builder === builder && (position === undefined || build.position === position)
    if (!document || !isHeld) throw new BuildLost(generation)
    known = document.updateTime
    return known
  }
  const commit = async (fields: Fields, writes: readonly Write[]) => {
    for (let attempt = 1; ; attempt++) {
      const writtenAt = known ?? (await updateTime())
      try {
        await client.commit([{ update: path, fields, writtenAt }, ...writes], SENT_MAX)
        return
      } catch (error) {
        if (!(error instanceof Refused) || attempt === ATTEMPTS_MAX) throw error
        // Where the build is as it was, something else was refused.
        if ((await updateTime()).isEqual(writtenAt) && error.why !== 'contended') throw error
      }
    }
  }
  const change = async (fields: Fields) => {
    await commit(fields, [])
    known = undefined
  }
  return { commit: (writes) => commit({ builder }, writes), change, updateTime }
}

/**
 * Takes a generation over from `over`, null for nobody, and returns the new builder. Throws `BuildLost` where it is another's by
 * now, or where `isLive` says that it is read.
 */
export async function claim(
  client: Client,
  path: string,
  generation: number,
  over: string | null,
  isLive: () => Promise<boolean>
): Promise<string> {
  const document = await read(client, path)
  // In this order: a switch after the first look changes the document.
  const isOthers = ((document && buildIn(document).builder) ?? null) !== over
  if (isOthers || (await isLive())) throw new BuildLost(generation)
  const builder = randomUUID()
  const fields = { builder, ...(!document && { position: 0, label: '' }) }
  try {
    await client.commit([replacing(path, fields, document)])
    return builder
  } catch (error) {
    throw error instanceof Refused ? new BuildLost(generation, { cause: error }) : error
  }
}

/** What makes a generation the live one in the commit that says so, and remembers the one that was live before. */
export function switchWrites(
  aside: string,
  before: { readonly generation: number; readonly position: number; readonly label: string },
  to: Fence,
  writtenAt: Timestamp
): readonly Write[] {
  const { generation, position, label } = before
  return [
    { update: buildPath(aside, to.generation), fields: { builder: randomUUID() }, writtenAt },
    { set: buildPath(aside, generation), fields: { position, label, builder: randomUUID() } }
  ]
}

async function read(client: Client, path: string): Promise<Document | undefined> {
  return (await client.get([path])).documents[0]
}

function buildIn({ fields }: Document): Build {
  return {
    position: integerOf(fields.position) ?? 0,
    label: fields.isUnfinished === true ? '' : (textOf(fields.label) ?? ''),
    builder: textOf(fields.builder)
  }
}

/** Removes everything below a document, whichever version of the hub has put it there, as long as `by` commits. */
export async function removeBelow(client: Client, parent: string, by: Committer): Promise<void> {
  const collections = await client.collections(parent)
  await Promise.all(collections.map((id) => removeCollection(client, `${parent}/${id}`, by)))
}

async function removeCollection(client: Client, collection: string, by: Committer): Promise<void> {
  for (;;) {
    const { documents } = await client.query((store) => store.collection(collection).limit(WRITES_MAX).select())
    if (documents.length > 0)
      await by.commit(
        documents.map(({ path }) => ({ remove: path })),
        SENT_MAX
      )
    if (documents.length < WRITES_MAX) return
  }
}

/** The numbers of the generations of which anything is known. */
export async function readGenerations(client: Client, aside: string): Promise<readonly number[]> {
  const { documents } = await client.query((store) => store.collection(`${aside}/${BUILDS}`).select())
  return documents.map(({ path }) => Number(lastOf(path)))
}

/**
 * Applies row changes to a generation, which nobody reads yet, in as many requests as they need, and remembers
 * that they take it up to `position`. What is refused is refused before the first of them. A process can end between two: rows
 * that are named can be written again without harm. Bulk changes cannot, since they would find rows that were not there the
 * first time: with those, nobody can go on before all of it is done.
 */
export async function applyTo(place: RowPlace, hold: Hold, ops: readonly RowOp[], position: number): Promise<void> {
  const { client, parent, known } = place
  if (ops.some(isBulk)) await hold.change({ isUnfinished: true })
  const { changes, clash } = await resolveStored(place, ops)
  if (clash !== null) throw new Error(clash)
  // Each row whole in one of the requests.
  const batches = slices(await rowWrites(parent, changes, known), WRITES_MAX, 1, shareOf)
  const worker = async () => {
    for (const batch of batches) noteParts(known, await write(client, batch, hold))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await hold.change({ position, isUnfinished: false })
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
