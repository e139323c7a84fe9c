import type { DecodedEvent } from '../src/log/event.js'
import type { Columns, TableSpec } from '../src/storage/storage.js'

/** Names a read table; its columns give the type of its rows. */
export function table<const C extends Columns>(spec: TableSpec<C>): TableSpec<C> {
  return spec
}

/** Columns that every entity has: who made and last changed it, and when. */
export const attribution = {
  createdAt: 'time',
  updatedAt: 'time',
  createdBy: 'id?',
  updatedBy: 'id?'
} as const

/** What these columns hold of a record that the event makes. */
export function createdBy({ at, actorId }: Pick<DecodedEvent, 'at' | 'actorId'>) {
  return { createdAt: at, updatedAt: at, createdBy: actorId, updatedBy: actorId }
}
