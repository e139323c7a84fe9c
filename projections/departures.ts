import type { CollectionEvent } from '../commands/collection/events.js'
import type { DocumentEvent } from '../commands/document/events.js'
import type { EnvironmentEvent } from '../commands/environment/events.js'
import type { ErasureEvent } from '../commands/erasure/events.js'
import type { FolderEvent } from '../commands/folder/events.js'
import type { RequestEvent } from '../commands/request/events.js'
import type { SnippetEvent } from '../commands/snippet/events.js'
import type { UndeleteEvent } from '../commands/undelete/events.js'
import type { RecordedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { patchOther, projector, putOther, remove, table } from './define.js'

/**
 * What is not where it was: one row for each deletion, and for each item that was taken to another collection, under the
 * position of its event. `collectionId` is the collection that lost it, or the one that is gone. The body is what the event
 * says went with it.
 */
export const departuresTable = table({
  name: 'departures',
  columns: {
    kind: 'id',
    subject: 'id',
    name: 'text',
    collectionId: 'id?',
    state: 'id',
    at: 'time',
    actorId: 'id',
    position: 'integer'
  },
  indexes: {
    bySubject: { by: ['subject'], order: ['position'] },
    byCollection: { by: ['collectionId'], order: ['position'] },
    byState: { by: ['state'], order: ['position'] }
  },
  scope: 'id'
})

/** The kinds of record that can be deleted and brought back. */
export type RestorableKind = 'collection' | 'environment' | 'snippet' | 'folder' | 'request' | 'document'

interface Contents {
  readonly folders: readonly string[]
  readonly requests: readonly string[]
  readonly documents: readonly string[]
}
const nothing: Contents = { folders: [], requests: [], documents: [] }

type Lost = { readonly name: string; readonly collectionId: string | null } & Partial<Contents>

function gone(
  kind: RestorableKind,
  event: RecordedEvent,
  { name, collectionId, ...held }: Lost,
  state: 'deleted' | 'moved' = 'deleted'
): RowOp {
  const { position, at, actorId, subject } = event
  const columns = { kind, subject, name, collectionId, state, at, actorId, position }
  return putOther(departuresTable, event, String(position), columns, { ...nothing, ...held })
}

function moved(
  kind: 'request' | 'document',
  e: RecordedEvent<
    string,
    { readonly previousCollectionId?: string | undefined; readonly content: { readonly name: string } }
  >
): readonly RowOp[] {
  const { previousCollectionId: collectionId, content } = e.data
  return collectionId === undefined ? [] : [gone(kind, e, { name: content.name, collectionId }, 'moved')]
}

function restored(e: RecordedEvent<string, { readonly deletionPositions: readonly number[] }>): readonly RowOp[] {
  return e.data.deletionPositions.map((position) =>
    patchOther(departuresTable, e, String(position), { state: 'restored' })
  )
}

type Events =
  | CollectionEvent
  | EnvironmentEvent
  | SnippetEvent
  | FolderEvent
  | RequestEvent
  | DocumentEvent
  | UndeleteEvent
  | ErasureEvent

export const departures = projector<Events>(departuresTable, 1, {
  CollectionDeleted: (e) => [gone('collection', e, { ...e.data, collectionId: e.subject })],
  EnvironmentDeleted: (e) => [gone('environment', e, { ...e.data, collectionId: null })],
  SnippetDeleted: (e) => [gone('snippet', e, { ...e.data, collectionId: null })],
  FolderDeleted: (e) => [gone('folder', e, e.data)],
  RequestDeleted: (e) => [gone('request', e, e.data)],
  DocumentDeleted: (e) => [gone('document', e, e.data)],
  RequestUpdated: (e) => moved('request', e),
  DocumentUpdated: (e) => moved('document', e),
  PayloadsErased: (e) => e.data.positions.map((position) => remove(departuresTable, String(position))),
  CollectionRestored: restored,
  EnvironmentRestored: restored,
  SnippetRestored: restored,
  FolderRestored: restored,
  RequestRestored: restored,
  DocumentRestored: restored
})
