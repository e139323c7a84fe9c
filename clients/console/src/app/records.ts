import type { Schemas } from '@collections-hub/client'
import type { Kind, RecordRef } from '../model/records.js'
import { hub, isAdmin } from './session.js'

/** The content of a record by its kind. */
export interface Contents {
  readonly collection: Schemas['Collection']
  readonly folder: Schemas['Folder']
  readonly request: Schemas['SavedRequest']
  readonly document: Schemas['Document']
  readonly environment: Schemas['Environment']
  readonly snippet: Schemas['Snippet']
  readonly liveServer: Schemas['LiveServer']
  readonly livePage: Schemas['LivePage']
}

/** A record as the hub has it, with the entity tag that a change of it names. */
export type Loaded<K extends Kind = Kind> = {
  [One in K]: { readonly kind: One; readonly content: Contents[One]; readonly etag: string | null }
}[K]

interface Asked {
  readonly id: string
  /** When: a moment of the past; now where there is none. */
  readonly at: string | undefined
  readonly signal: AbortSignal
}

const asUser: {
  readonly [K in Kind]: (asked: Asked) => Promise<{ readonly body: Contents[K]; readonly etag: string | null }>
} = {
  collection: ({ id, at, signal }) =>
    hub().request('GET', '/collections/{id}', { path: { id }, query: { at }, signal }),
  folder: ({ id, at, signal }) => hub().request('GET', '/folders/{id}', { path: { id }, query: { at }, signal }),
  request: ({ id, at, signal }) => hub().request('GET', '/requests/{id}', { path: { id }, query: { at }, signal }),
  document: ({ id, at, signal }) => hub().request('GET', '/documents/{id}', { path: { id }, query: { at }, signal }),
  environment: ({ id, at, signal }) =>
    hub().request('GET', '/environments/{id}', { path: { id }, query: { at }, signal }),
  snippet: ({ id, at, signal }) => hub().request('GET', '/snippets/{id}', { path: { id }, query: { at }, signal }),
  liveServer: ({ id, at, signal }) =>
    hub().request('GET', '/live-servers/{id}', { path: { id }, query: { at }, signal }),
  livePage: ({ id, at, signal }) => hub().request('GET', '/live-pages/{id}', { path: { id }, query: { at }, signal })
}

const asAdmin: typeof asUser = {
  collection: ({ id, at, signal }) =>
    hub().request('GET', '/admin/collections/{id}', { path: { id }, query: { at }, signal }),
  folder: ({ id, at, signal }) => hub().request('GET', '/admin/folders/{id}', { path: { id }, query: { at }, signal }),
  request: ({ id, at, signal }) =>
    hub().request('GET', '/admin/requests/{id}', { path: { id }, query: { at }, signal }),
  document: ({ id, at, signal }) =>
    hub().request('GET', '/admin/documents/{id}', { path: { id }, query: { at }, signal }),
  environment: ({ id, at, signal }) =>
    hub().request('GET', '/admin/environments/{id}', { path: { id }, query: { at }, signal }),
  snippet: ({ id, at, signal }) =>
    hub().request('GET', '/admin/snippets/{id}', { path: { id }, query: { at }, signal }),
  liveServer: ({ id, at, signal }) =>
    hub().request('GET', '/admin/live-servers/{id}', { path: { id }, query: { at }, signal }),
  livePage: ({ id, at, signal }) =>
    hub().request('GET', '/admin/live-pages/{id}', { path: { id }, query: { at }, signal })
}

/** Asks for a record, as it is or as it was at a moment. */
export async function loadRecord<K extends Kind>(
  ref: RecordRef & { readonly kind: K },
  signal: AbortSignal,
  at?: string
): Promise<Loaded> {
  const { kind, id } = ref
  const { body, etag } = await (isAdmin.value ? asAdmin : asUser)[kind]({ id, at, signal })
  // The kind chose what was asked.
  return { kind, content: body, etag } as Loaded
}

/** Whether who is signed in may change records: administrators look at what is there, and manage. */
export const mayEdit = (): boolean => !isAdmin.value
