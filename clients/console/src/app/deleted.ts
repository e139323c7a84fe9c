import type { Schemas } from '@collections-hub/client'
import { hub, isAdmin } from './session.js'

/** Something that is gone and can be brought back: what it was, who deleted it and when, and how much went with it. */
export type DeletedRecord = Schemas['DeletedRecord']

/** What can be brought back, the newest first: one's own deletions, or for administrators all. */
export async function loadDeleted(limit: number, signal: AbortSignal): Promise<readonly DeletedRecord[]> {
  const path = isAdmin.value ? '/admin/deleted' : '/deleted'
  return (await hub().request('GET', path, { query: { limit }, signal })).body.deleted
}

/** Brings something back with all that went with it; says how many records of each kind are there again. */
export async function undelete({
  kind,
  id
}: Pick<DeletedRecord, 'kind' | 'id'>): Promise<Schemas['Undeleted']['restored']> {
  const path = isAdmin.value ? '/admin/undelete' : '/undelete'
  return (await hub().request('POST', path, { body: { kind, id } })).body.restored
}
