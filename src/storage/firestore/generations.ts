import { randomUUID } from 'node:crypto'
import { slices } from '../../limits.js'
import type { Head } from '../../log/event.js'
import { isBulk } from '../rowOps.js'
import { type Build, BuildLost, type Fence, type GenerationStore, type Switch } from '../storage.js'
import type { Client } from './client.js'
import { type Document, type Fields, integerOf, replacing, requestSize, textOf, type Write } from './documents.js'
import { Refused } from './errors.js'
import { BUILDS, FENCES, type Layout, lastOf, numberId } from './layout.js'
import { resolveStored } from './rowChanges.js'
import { present, type RowWrites, rowWrites } from './rows.js'

// What fills or removes a generation goes out in many requests. Each of them asks that the document of its fence is there, which
// is named by everything that a fence says, and which goes where the build moves on or passes to somebody else.

/** How often the client may send one of the requests, each of which may happen twice. */
const SENT_MAX = 3
/** What one of the requests has at most. */
const WRITES_MAX = 400
const BYTES_MAX = 2 * 1024 * 1024
const AT_ONCE = 3

/** How what can be done twice is committed: under a fence, or by the client for what is to go, whoever fills it. */
type Send = (writes: readonly Write[]) => Promise<void>

/** The generations of a layout; `head` says which one is live. */
export function generationStore(client: Client, layout: Layout, head: () => Promise<Head>): GenerationStore {
  const read = async (generation: number) => (await client.get([buildPath(layout, generation)])).documents[0]
  const claimed = async (generation: number, over: string | null, fields: Fields = {}) => {
    const document = await read(generation)
    const build = document ? buildIn(document) : NOT_BEGUN
    // In this order: a switch after the first look changes the document.
    if (build.builder !== over || (await head()).generation === generation) throw new BuildLost(generation)
    const fresh = { position: build.position, label: build.label, ...fields, builder: randomUUID() }
    try {
      await client.commit([
        replacing(buildPath(layout, generation), fresh, document),
        ...(over === null ? [] : [{ remove: fencePath(layout, { ...build, generation, builder: over }) }]),
        { create: fencePath(layout, { ...fresh, generation }), fields: { generation } }
      ])
      return fresh
    } catch (error) {
      throw error instanceof Refused ? new BuildLost(generation, { cause: error }) : error
    }
  }
  /** Removes what is there of a generation, which nobody can go on with meanwhile, and returns its new builder. */
  const remove = async (generation: number, over: string | null, label: string) => {
    const { builder } = await claimed(generation, over, { position: 0, label: '', isUnfinished: false })
    const send = under(client, layout, { generation, builder, position: 0 })
    await removeBelow(client, layout.generation(generation), send)
    if (label !== '') await send([{ update: buildPath(layout, generation), fields: { label } }])
    return builder
  }
  return {
    createGeneration: remove,
    takeOver: claimed,
    async dropGeneration(generation, over) {
      await remove(generation, over, '')
    },
    /**
     * In as many requests as it needs. What is refused is refused before the first of them. A process can end between two: rows
     * that are named can be written again without harm. Bulk changes cannot, since they would find rows that were not there the
     * first time: with those, nobody can go on before all of it is done.
     */
    async apply(fence, ops, position) {
      const place = { client, parent: layout.generation(fence.generation) }
      const build = buildPath(layout, fence.generation)
      const send = under(client, layout, fence)
      if (ops.some(isBulk)) await send([{ update: build, fields: { isUnfinished: true } }])
      const { changes, clash } = await resolveStored(place, ops)
      if (clash !== null) {
        // Where somebody else has filled it meanwhile, it is with their rows.
        await requireFence(client, layout, fence)
        throw new Error(clash)
      }
      // Each row whole in one of the requests.
      const batches = slices(await rowWrites(place, changes), WRITES_MAX, 1, shareOf)
      const worker = async () => {
        for (const batch of batches) await write(client, batch, send)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      await send([{ update: build, fields: { position, isUnfinished: false } }], position)
    },
    changesAtOnce: 20_000,
    async buildOf(generation) {
      const document = await read(generation)
      return document ? buildIn(document) : null
    }
  }
}

/** How far a generation is that nobody has begun. */
const NOT_BEGUN: Build = { position: 0, label: '', builder: null }

/** What makes a generation the live one, where the fence holds, in the commit that says so, and remembers the one `before`. */
export function switchWrites(layout: Layout, before: Head, { fence, left: label }: Switch): readonly Write[] {
  const { generation, position } = before
  return [
    { remove: fencePath(layout, fence), mustExist: true },
    { update: buildPath(layout, fence.generation), fields: { builder: randomUUID() } },
    { set: buildPath(layout, generation), fields: { position, label, builder: randomUUID() } }
  ]
}

/** Throws `BuildLost` where a fence does not hold. */
export async function requireFence(client: Client, layout: Layout, fence: Fence, options?: ErrorOptions) {
  const { documents } = await client.get([fencePath(layout, fence)])
  if (documents.length === 0) throw new BuildLost(fence.generation, options)
}

/** Sends what may only happen while a fence holds, which moves on to a position where one is given. */
function under(client: Client, layout: Layout, fence: Fence) {
  const { generation, position } = fence
  const held = fencePath(layout, fence)
  return async (writes: readonly Write[], to = position): Promise<void> => {
    const next = fencePath(layout, { ...fence, position: to })
    const holding: readonly Write[] =
      to === position
        ? [{ update: held, fields: { generation } }]
        : [
            { remove: held, mustExist: true },
            { create: next, fields: { generation } }
          ]
    try {
      await client.commit([...holding, ...writes], SENT_MAX)
    } catch (error) {
      if (error instanceof Refused) await requireFence(client, layout, fence, { cause: error })
      throw error
    }
  }
}

/** Where it is remembered how far a generation has come, beside the log. */
function buildPath({ aside }: Layout, generation: number): string {
  return `${aside}/${BUILDS}/${numberId(generation)}`
}

function fencePath({ aside }: Layout, { generation, builder, position }: Fence): string {
  return `${aside}/${FENCES}/${numberId(generation)}:${builder}:${position}`
}

function buildIn({ fields }: Document): Build {
  return {
    position: integerOf(fields.position) ?? 0,
    label: fields.isUnfinished === true ? '' : (textOf(fields.label) ?? ''),
    builder: textOf(fields.builder)
  }
}

/** Removes everything of a layout. */
export async function removeAll(client: Client, layout: Layout): Promise<void> {
  const { log, aside } = layout
  const send: Send = (writes) => client.commit(writes, SENT_MAX)
  const { documents } = await client.query((store) => store.collection(`${aside}/${BUILDS}`).select())
  const generations = Math.max(1, ...documents.map(({ path }) => Number(lastOf(path))))
  for (let number = 1; number <= generations; number++) await removeBelow(client, layout.generation(number), send)
  for (const name of [aside, log]) await removeBelow(client, name, send)
  await client.commit([{ remove: log }, { remove: aside }])
}

/** Removes everything below a document, whichever version of the hub has put it there. */
async function removeBelow(client: Client, parent: string, send: Send): Promise<void> {
  const collections = await client.collections(parent)
  await Promise.all(collections.map((id) => removeCollection(client, `${parent}/${id}`, send)))
}

async function removeCollection(client: Client, collection: string, send: Send): Promise<void> {
  for (;;) {
    const { documents } = await client.query((store) => store.collection(collection).limit(WRITES_MAX).select())
    const writes = documents.map(({ path }) => ({ remove: path }))
    if (writes.length > 0) await send(writes)
    if (writes.length < WRITES_MAX) return
  }
}

/** How much of a request a row takes, of which 1 is all. */
function shareOf(writes: RowWrites): number {
  return Math.max(writes.length / WRITES_MAX, requestSize(writes) / BYTES_MAX)
}

async function write(client: Client, rows: readonly RowWrites[], send: Send): Promise<void> {
  try {
    await send(rows.flat())
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const left = await present(client, rows, error)
    if (left === rows) throw error
    if (left.length > 0) await send(left.flat())
  }
}
