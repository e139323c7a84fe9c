import type { ReadStore } from '../../../src/storage/storage.js'
import { type Caller, requireChange, requireSight, requireUser } from '../../context.js'
import { requireRun, requireRunChange } from '../../people/token/scopes.js'
import { itemPositionOf } from '../../records/kind.js'
import { kinds } from '../../records/kinds.js'
import { runResultsTable } from '../../records/runResult/table.js'
import type { Discussed } from './events.js'

/** Where a thing stands that is there: in a collection, which opens it; null for what every user may see. */
export interface Found {
  readonly collectionId: string | null
  /** The collection that a run result names as its own, which tokens that are limited to collections go by. */
  readonly ranIn?: string | null
}

/** The thing that a discussion is about, as it is now; null where there is none, or where it is deleted. */
export async function findDiscussed({ kind, id }: Discussed, read: Pick<ReadStore, 'get'>): Promise<Found | null> {
  if (kind === 'runResult') {
    const run = await read.get(runResultsTable, id)
    return run && { collectionId: null, ranIn: run.collectionId }
  }
  const row = await read.get(kinds[kind].table, id)
  if (!row) return null
  return { collectionId: kind === 'collection' ? id : itemPositionOf(row).collectionId }
}

/** Refuses whoever may not change what is in the collection, and so say nothing about it. */
export function requireSayer(caller: Caller, found: Found): void {
  requireSeen(caller, found)
  if (found.collectionId !== null) requireChange(caller, found.collectionId)
  else requireRunChange(caller, found.ranIn ?? null)
}

/** Refuses whoever may not see the thing, and so not discuss it: 403, for administrators too. */
export function requireSeen(caller: Caller, { collectionId, ranIn = null }: Found): void {
  if (collectionId !== null) requireSight(caller, collectionId)
  else {
    requireUser(caller)
    requireRun(caller, ranIn)
  }
}
