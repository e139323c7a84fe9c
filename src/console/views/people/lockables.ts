import type { catalog } from '../../app/catalog.js'
import { hub } from '../../app/session.js'

/** Something that can be locked against deletion. */
export interface Lockable {
  readonly kind: LockableKind
  readonly id: string
  readonly name: string
  readonly isLocked: boolean
}
export type LockableKind = keyof typeof catalog

const lock = {
  collection: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/collections/{id}', { path: { id }, body: { deletionLocked } }),
  environment: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/environments/{id}', { path: { id }, body: { deletionLocked } }),
  snippet: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/snippets/{id}', { path: { id }, body: { deletionLocked } })
}

const remove = {
  collection: (id: string) => hub().request('DELETE', '/admin/collections/{id}', { path: { id } }),
  environment: (id: string) => hub().request('DELETE', '/admin/environments/{id}', { path: { id } }),
  snippet: (id: string) => hub().request('DELETE', '/admin/snippets/{id}', { path: { id } })
}

/** Locks a record against deletion by users, or unlocks it. */
export const lockRecord = (kind: LockableKind, id: string, isLocked: boolean): Promise<unknown> =>
  lock[kind](id, isLocked)

/** Deletes a record, locked or not. */
export const deleteRecord = (kind: LockableKind, id: string): Promise<unknown> => remove[kind](id)

/** Brings a deleted record back, with what went with it. */
export const undeleteRecord = (kind: LockableKind, id: string): Promise<unknown> =>
  hub().request('POST', '/admin/undelete', { body: { kind, id } })
