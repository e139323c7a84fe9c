import type { Kind } from '../model/records.js'
import type { Loaded } from './records.js'
import { hub, identity } from './session.js'

const remove: Readonly<Record<Kind, (id: string, ifMatch: { readonly ifMatch?: string }) => Promise<unknown>>> = {
  collection: (id, ifMatch) => hub().request('DELETE', '/collections/{id}', { path: { id }, ...ifMatch }),
  folder: (id, ifMatch) => hub().request('DELETE', '/folders/{id}', { path: { id }, ...ifMatch }),
  request: (id, ifMatch) => hub().request('DELETE', '/requests/{id}', { path: { id }, ...ifMatch }),
  document: (id, ifMatch) => hub().request('DELETE', '/documents/{id}', { path: { id }, ...ifMatch }),
  environment: (id, ifMatch) => hub().request('DELETE', '/environments/{id}', { path: { id }, ...ifMatch }),
  snippet: (id, ifMatch) => hub().request('DELETE', '/snippets/{id}', { path: { id }, ...ifMatch }),
  liveServer: (id, ifMatch) => hub().request('DELETE', '/live-servers/{id}', { path: { id }, ...ifMatch }),
  livePage: (id, ifMatch) => hub().request('DELETE', '/live-pages/{id}', { path: { id }, ...ifMatch })
}

/** Deletes a record with all that it holds, while it is still what was read. */
export async function deleteRecord({ kind, content, etag }: Loaded): Promise<void> {
  await remove[kind](content.id, etag === null ? {} : { ifMatch: etag })
}

/** Why the hub would not let the caller delete a record; null where it would. */
export function whyNotDelete({ kind, content }: Loaded): string | null {
  if ('deletionLocked' in content && content.deletionLocked) return 'An administrator has locked it against deletion.'
  const isCreators = kind === 'collection' || kind === 'request' || kind === 'document'
  if (!isCreators || content.createdByUserId === identity().user.id) return null
  return 'Only who has made it, or an administrator, can delete it.'
}
