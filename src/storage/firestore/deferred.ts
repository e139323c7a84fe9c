import { setTimeout } from 'node:timers/promises'
import { slices } from '../../limits.js'
import { idOf } from '../rowOps.js'
import type { Value } from '../storage.js'
import type { Client, Document } from './client.js'
import { Refused } from './errors.js'
import { DEFERRED, numberId } from './layout.js'
import { type KnownParts, packed, unpacked, withoutParts } from './parts.js'
import type { ResolvedChange } from './rowChanges.js'
import { rowPath } from './rows.js'
import { bytesOf, isObject, textOf } from './values.js'
import type { Write } from './writes.js'

// A commit may be about thousands of rows that it does not name: all requests of a collection that is deleted. Firestore
// bounds what one request can do, so such a commit writes its events, the rows that it names and, instead of the others,
// deferred changes: documents that each say what is left to be done to a few hundred rows. Each is then carried out in one
// request that also removes it, so it happens once, whoever does it. The log says from the start what has happened; deferred
// changes are done before the commit returns and, were its process to end before that, by whoever next looks where the log
// ends. No process shows an end of the log, nor its events, nor commits behind it, before what is deferred up to it is done.
// So nobody who has asked for the log's end reads rows that the log says are gone. Who still reads at the end before may
// find some of these rows gone already, as if the commit had come first for them.

/** More rows than this that a commit does not name are deferred. */
export const DEFERRED_ROWS_MIN = 400
/** How many of them one request changes. */
const ROWS_AT_ONCE = 400
/** What a commit that defers changes has in its document and in those of its events. */
export const HAS_DEFERRED = { sweeping: true } as const
const AT_ONCE = 4
const PAGE = 20
const ATTEMPTS_MAX = 5
const SENT_MAX = 3
const RETRY_MAX_MS = 100

/** What is left to be done to a row: new values of some columns, or with null its end. */
interface Rest {
  /** The row's path below the generation. */
  readonly row: string
  readonly set: Readonly<Record<string, Value>> | null
  readonly parts: readonly string[]
}

/** The documents of a commit that say what is left to be done to rows of the generation below `parent`. */
export async function deferredWrites(
  log: string,
  parent: string,
  first: number,
  changes: readonly ResolvedChange[],
  known: KnownParts
): Promise<readonly Write[]> {
  const rests = changes.map(({ change }): Rest => {
    const path = rowPath(parent, change.table, idOf(change))
    const row = path.slice(parent.length + 1)
    // Bulk changes set nulls and revisions, and no bodies.
    if (change.op === 'patch') return { row, set: change.set as Readonly<Record<string, Value>>, parts: [] }
    return { row, set: null, parts: [...known.of(path).values()].flat() }
  })
  const writes: Write[] = []
  for (const some of slices(rests, ROWS_AT_ONCE)) {
    const create = `${log}/${DEFERRED}/${numberId(first)}-${numberId(writes.length)}`
    // Compressed, so that one request can say what is left of some hundred thousand rows.
    writes.push({ create, fields: { parent, work: await packed(JSON.stringify(some)) } })
  }
  return writes
}

/** True for a document of a commit that may not be all done yet. */
export function hasDeferred({ fields }: Document): boolean {
  return 'sweeping' in fields
}

/** Carries out every deferred change in the log below `log`. Others may be doing the same. */
export async function finishDeferred(client: Client, log: string): Promise<void> {
  for (;;) {
    const { documents } = await client.query((store) => store.collection(`${log}/${DEFERRED}`).limit(PAGE))
    if (documents.length === 0) return
    const waiting = documents.values()
    const worker = async () => {
      for (const one of waiting) await carryOut(client, one)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
}

async function carryOut(client: Client, deferred: Document): Promise<void> {
  const parent = textOf(deferred.fields.parent) ?? ''
  let rests = await restsOf(deferred)
  for (let attempt = 1; ; attempt++) {
    try {
      const changes = rests.flatMap((rest) => restWrites(parent, rest))
      // First of all: another process that was faster has removed it, and then nothing of this may happen again.
      await client.commit([{ remove: deferred.path, only: { exists: true } }, ...changes], SENT_MAX)
      return
    } catch (error) {
      if (!(error instanceof Refused) || attempt === ATTEMPTS_MAX) throw error
      const { documents } = await client.get([deferred.path, ...rests.map(({ row }) => `${parent}/${row}`)])
      const there = new Set(documents.map(({ path }) => path))
      if (!there.has(deferred.path)) return
      // A row that is gone has nothing to be set.
      rests = rests.filter(({ row, set }) => !set || there.has(`${parent}/${row}`))
      await setTimeout(Math.random() * RETRY_MAX_MS)
    }
  }
}

function restWrites(parent: string, { row, set, parts }: Rest): readonly Write[] {
  const path = `${parent}/${row}`
  return set ? [{ update: path, fields: set }] : [{ remove: path }, ...withoutParts(parent, parts)]
}

async function restsOf({ fields }: Document): Promise<readonly Rest[]> {
  const work: unknown = JSON.parse(await unpacked(bytesOf(fields.work)))
  if (!Array.isArray(work)) return []
  // Written by `deferredWrites`, perhaps of another version: a rest without a row is none.
  return work.filter((rest): rest is Rest => isObject(rest) && typeof rest.row === 'string')
}
