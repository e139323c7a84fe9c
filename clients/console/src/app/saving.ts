import type { Form, Part } from '../model/forms.js'
import type { Kind } from '../model/records.js'
import type { Contents, Loaded } from './records.js'
import { hub } from './session.js'

interface Saved<K extends Kind> {
  readonly body: Contents[K]
  readonly etag: string | null
}
type Save<K extends Kind> = (record: Contents[K], form: Form<K>, ifMatch?: string) => Promise<Saved<K>>

/** What is not edited goes back as it is: where a record stands, and what only the desktop knows of it. */
const save: { readonly [K in Kind]: Save<K> } = {
  collection: ({ id }, form, ifMatch) =>
    hub().request('PUT', '/collections/{id}', { path: { id }, body: form, ...guarded(ifMatch) }),
  folder: ({ id }, form, ifMatch) =>
    hub().request('PATCH', '/folders/{id}', { path: { id }, body: form, ...guarded(ifMatch) }),
  request: ({ id, collectionId, folderId, protocol }, form, ifMatch) =>
    hub().request('PUT', '/requests/{id}', {
      path: { id },
      body: { ...form, collectionId, folderId, protocol },
      ...guarded(ifMatch)
    }),
  document: ({ id, collectionId, folderId }, form, ifMatch) =>
    hub().request('PUT', '/documents/{id}', {
      path: { id },
      body: { ...form, collectionId, folderId },
      ...guarded(ifMatch)
    }),
  environment: ({ id }, form, ifMatch) =>
    hub().request('PUT', '/environments/{id}', { path: { id }, body: form, ...guarded(ifMatch) }),
  snippet: ({ id }, form, ifMatch) =>
    hub().request('PUT', '/snippets/{id}', { path: { id }, body: form, ...guarded(ifMatch) }),
  liveServer: (server, form, ifMatch) =>
    hub().request('PUT', '/live-servers/{id}', {
      path: { id: server.id },
      body: { ...server, ...form },
      ...guarded(ifMatch)
    }),
  livePage: (page, form, ifMatch) =>
    hub().request('PUT', '/live-pages/{id}', { path: { id: page.id }, body: { ...page, ...form }, ...guarded(ifMatch) })
}

const guarded = (ifMatch: string | undefined) => ifMatch !== undefined && { ifMatch }

/** Puts a form in place of what a record holds, while that is still what was read; gives back the record as it is then. */
export async function saveRecord<K extends Kind>(kind: K, read: Loaded<K>, form: Part): Promise<Loaded> {
  // The kind has these fields, and chooses what is saved.
  const { body, etag } = await save[kind](read.content, form as Form<K>, read.etag ?? undefined)
  return { kind, content: body, etag } as Loaded
}
