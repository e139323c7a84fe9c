import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { idOf, isBulk, searchedColumns } from '../rowOps.js'
import type { RowOp } from '../storage.js'
import type { Client } from './client.js'
import { bytesOf, type Document, type Fields, indexable, textOf, type Write } from './documents.js'
import { Refused } from './errors.js'
import { rowsCollection } from './layout.js'
import { PARTS_FIELD, packed, partIdsOf, unpacked, withoutParts } from './parts.js'
import type { ResolvedChange } from './rowChanges.js'
import { rowPath } from './rows.js'

// A commit may be about thousands of rows that it does not name: all requests of a collection that is deleted. Firestore
// bounds what one request can do, so such a commit writes its events, the rows that it names and, instead of the others, what
// is left to be done to them, in its own document. That is done before the commit returns and, were its process to end before
// that, by whoever next looks where the log ends or reads events behind the end that it knows. So nobody who has learned of the
// commit reads rows that the log says are gone. Who still reads at the end before may find some of these rows gone already, as
// if the commit had come first for them.

/** More rows than this that a commit does not name are deferred. */
export const DEFERRED_ROWS_MIN = 400
/** The field of a commit's document with what is left to be done. */
export const DEFERRED_FIELD = 'deferred'
/** How many of them one request changes. */
const ROWS_AT_ONCE = 400
const SENT_MAX = 3
const RETRY_MAX_MS = 100

/** What is left to be done to the rows that hold a value in a column: it becomes null under a revision; without one, they end. */
const restSchema = z.object({
  collection: z.string(),
  column: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  revision: z.number().nullable()
})
type Rest = z.infer<typeof restSchema>

/** `except` are the paths of rows that the commit names. */
const workSchema = z.object({ parent: z.string(), rests: z.array(restSchema), except: z.array(z.string()) })

/** What is left to be done below `parent` of row changes of which `named` are done: these rows stay as they are. */
export function deferredOf(parent: string, ops: readonly RowOp[], named: readonly ResolvedChange[]): Promise<Buffer> {
  const rests = ops.filter(isBulk).flatMap((op): readonly Rest[] => {
    const value = indexable(op.value)
    const collection = `${parent}/${rowsCollection(op.table)}`
    const revision = op.op === 'nullify' ? op.revision : null
    return value === null ? [] : searchedColumns(op).map((column) => ({ collection, column, value, revision }))
  })
  const except = named.map(({ change }) => rowPath(parent, change.table, idOf(change)))
  return packed(JSON.stringify({ parent, rests, except }))
}

/**
 * Does what a commit has left to be done, and takes that off its document. Others may be doing the same: each request asks
 * that the document is as it was read, so nothing is done to what comes behind the commit. May return with something left.
 */
export async function finishDeferred(client: Client, commit: Document): Promise<void> {
  const { path, fields, updateTime: writtenAt } = commit
  const work = workSchema.parse(JSON.parse(await unpacked(bytesOf(fields[DEFERRED_FIELD]))))
  const except = new Set(work.except)
  const write = (changed: Fields, writes: readonly Write[]) =>
    client.commit([{ update: path, fields: changed, writtenAt }, ...writes], SENT_MAX)
  try {
    for (const rest of work.rests) {
      for (;;) {
        const { collection, column, value } = rest
        const { documents } = await client.query((store) =>
          store
            .collection(collection)
            .where(column, '==', value)
            .select(PARTS_FIELD)
            .limit(ROWS_AT_ONCE + except.size)
        )
        const rows = documents.filter((row) => !except.has(row.path)).slice(0, ROWS_AT_ONCE)
        if (rows.length === 0) break
        const writes = rows.flatMap((row) => restWrites(work.parent, rest, row))
        await write({ chain: textOf(fields.chain) }, writes)
      }
    }
    await write({ [DEFERRED_FIELD]: undefined }, [])
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await setTimeout(Math.random() * RETRY_MAX_MS)
  }
}

function restWrites(parent: string, { column, revision }: Rest, row: Document): readonly Write[] {
  if (revision !== null) return [{ update: row.path, fields: { [column]: null, revision } }]
  return [{ remove: row.path }, ...withoutParts(parent, [...partIdsOf(row).values()].flat())]
}
