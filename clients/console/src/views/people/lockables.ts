import { hub } from '../../app/session.js'
import type { AloneKind } from '../../model/records.js'

/** Something that can be locked against deletion. */
export interface Lockable {
  readonly kind: AloneKind
  readonly id: string
  readonly name: string
  readonly isLocked: boolean
}

const lock = {
  collection: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/collections/{id}', { path: { id }, body: { deletionLocked } }),
  environment: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/environments/{id}', { path: { id }, body: { deletionLocked } }),
  snippet: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/snippets/{id}', { path: { id }, body: { deletionLocked } }),
  liveServer: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/live-servers/{id}', { path: { id }, body: { deletionLocked } }),
  livePage: (id: string, deletionLocked: boolean) =>
    hub().request('PUT', '/admin/live-pages/{id}', { path: { id }, body: { deletionLocked } })
}

const remove = {
  collection: (id: string) => hub().request('DELETE', '/admin/collections/{id}', { path: { id } }),
  environment: (id: string) => hub().request('DELETE', '/admin/environments/{id}', { path: { id } }),
  snippet: (id: string) => hub().request('DELETE', '/admin/snippets/{id}', { path: { id } }),
  liveServer: (id: string) => hub().request('DELETE', '/admin/live-servers/{id}', { path: { id } }),
  livePage: (id: string) => hub().request('DELETE', '/admin/live-pages/{id}', { path: { id } })
}

/** Locks a record against deletion by users, or unlocks it. */
export const lockRecord = (kind: AloneKind, id: string, isLocked: boolean): Promise<unknown> => lock[kind](id, isLocked)

/** Deletes a record, locked or not. */
export const deleteRecord = (kind: AloneKind, id: string): Promise<unknown> => remove[kind](id)

/** Brings a deleted record back, with what went with it. */
export const undeleteRecord = (kind: AloneKind, id: string): Promise<unknown> =>
  hub().request('POST', '/admin/undelete', { body: { kind, id } })
