import type { TableSpec } from '../../src/storage/storage.js'
import { nameOf } from '../record.js'
import { emitCollection } from './collection/events.js'
import { type CollectionContent, collectionFields, type SubmittedCollection } from './collection/fields.js'
import { collectionsTable } from './collection/table.js'
import { emitDocument } from './document/events.js'
import { type DocumentContent, documentFields, type SubmittedDocument } from './document/fields.js'
import { documentsTable } from './document/table.js'
import { emitEnvironment } from './environment/events.js'
import { type EnvironmentContent, environmentFields, type SubmittedEnvironment } from './environment/fields.js'
import { environmentsTable } from './environment/table.js'
import { folderKind } from './folder/kind.js'
import { foldersTable } from './folder/table.js'
import { type ItemKind, itemKind } from './item/kind.js'
import type { LockableKind, MemberKind, RecordKind } from './kind.js'
import { emitLivePage, emitLiveServer } from './live/events.js'
import {
  type LivePageContent,
  type LiveServerContent,
  livePageFields,
  liveServerFields,
  type SubmittedLivePage,
  type SubmittedLiveServer
} from './live/fields.js'
import { livePagesTable, liveServersTable } from './live/table.js'
import { lockableKind } from './lockable.js'
import { emitRequest } from './request/events.js'
import { type RequestContent, requestFields, type SubmittedRequest } from './request/fields.js'
import { requestsTable } from './request/table.js'
import { emitSnippet } from './snippet/events.js'
import { type SnippetContent, type SubmittedSnippet, snippetFields } from './snippet/fields.js'
import { snippetsTable } from './snippet/table.js'

export const collectionKind: LockableKind<
  'Collection',
  CollectionContent,
  typeof collectionsTable.columns,
  SubmittedCollection
> = lockableKind({
  emit: emitCollection,
  label: 'Collection',
  plural: 'collections',
  access: 'collectionAccess',
  table: collectionsTable,
  listed: 'byName',
  fields: collectionFields,
  columns: [],
  update: (command) => ({ type: 'UpdateCollection', ...command }),
  /** It tells all that goes with the collection, so that it can be brought back. */
  async deletion(row, read) {
    const idsOf = async (table: TableSpec) =>
      (await read.list(table, 'byCollection', [row.id], { body: false })).map(({ id }) => id)
    const [folders = [], requests = [], documents = []] = await Promise.all(
      [foldersTable, requestsTable, documentsTable].map(idsOf)
    )
    return emitCollection(row.id, 'CollectionDeleted', { name: nameOf(row), folders, requests, documents })
  }
})

export const environmentKind: LockableKind<
  'Environment',
  EnvironmentContent,
  typeof environmentsTable.columns,
  SubmittedEnvironment
> = lockableKind({
  emit: emitEnvironment,
  label: 'Environment',
  plural: 'environments',
  access: 'environmentAccess',
  table: environmentsTable,
  listed: 'byName',
  fields: environmentFields,
  columns: ['parentUuid'],
  update({ content: { parentUuid, ...rest }, ...command }, hasParent) {
    return { type: 'UpdateEnvironment', ...command, content: hasParent ? { ...rest, parentUuid } : rest }
  }
})

export const snippetKind: LockableKind<'Snippet', SnippetContent, typeof snippetsTable.columns, SubmittedSnippet> =
  lockableKind({
    emit: emitSnippet,
    label: 'Snippet',
    plural: 'snippets',
    access: 'snippetAccess',
    table: snippetsTable,
    listed: 'byOrder',
    fields: snippetFields,
    columns: ['sortOrder'],
    update: (command) => ({ type: 'UpdateSnippet', ...command })
  })

export const liveServerKind: LockableKind<
  'LiveServer',
  LiveServerContent,
  typeof liveServersTable.columns,
  SubmittedLiveServer
> = lockableKind({
  emit: emitLiveServer,
  label: 'LiveServer',
  title: 'Live server',
  plural: 'liveServers',
  path: 'live-servers',
  access: 'liveServerAccess',
  table: liveServersTable,
  listed: 'byName',
  fields: liveServerFields,
  columns: [],
  update: (command) => ({ type: 'UpdateLiveServer', ...command })
})

export const livePageKind: LockableKind<'LivePage', LivePageContent, typeof livePagesTable.columns, SubmittedLivePage> =
  lockableKind({
    emit: emitLivePage,
    label: 'LivePage',
    title: 'Live page',
    plural: 'livePages',
    path: 'live-pages',
    access: 'livePageAccess',
    table: livePagesTable,
    listed: 'byName',
    fields: livePageFields,
    columns: [],
    update: (command) => ({ type: 'UpdateLivePage', ...command })
  })

export const requestKind: ItemKind<'Request', RequestContent, SubmittedRequest> = itemKind({
  emit: emitRequest,
  label: 'Request',
  plural: 'requests',
  table: requestsTable,
  fields: requestFields,
  update: (command) => ({ type: 'UpdateRequest', ...command })
})

export const documentKind: ItemKind<'Document', DocumentContent, SubmittedDocument> = itemKind({
  emit: emitDocument,
  label: 'Document',
  plural: 'documents',
  table: documentsTable,
  fields: documentFields,
  update: (command) => ({ type: 'UpdateDocument', ...command })
})

/** Every kind of record. What may be in another comes behind it. A new kind is one more line here. */
const all = {
  collection: collectionKind,
  environment: environmentKind,
  snippet: snippetKind,
  liveServer: liveServerKind,
  livePage: livePageKind,
  folder: folderKind,
  request: requestKind,
  document: documentKind
} as const

type All = typeof all
export type RestorableKind = keyof All
/** The kinds of record that a collection holds. */
export type Member = { [K in RestorableKind]: All[K]['isMember'] extends true ? K : never }[RestorableKind]
/** The kinds of record that stand on their own. */
export type Lockable = Exclude<RestorableKind, Member>

/** A record as it was before its deletion, as the event that brings it back. */
export type Restorable<K extends RestorableKind = RestorableKind> = { [P in K]: ReturnType<All[P]['restorable']> }[K]

type Restoring<F extends RecordKind, K extends RestorableKind> = Omit<F, 'restorable'> & {
  restorable(...given: Parameters<F['restorable']>): Restorable<K>
}
type Kinds = {
  readonly [K in Lockable]: Restoring<LockableKind, Lockable>
} & { readonly [K in Member]: Restoring<MemberKind, Member> }

export const kinds: Kinds = all

// The keys of the object are those of its type.
export const KINDS = Object.keys(kinds) as readonly RestorableKind[]
export const MEMBERS = KINDS.filter(isMember)
export const LOCKABLES = KINDS.filter((kind): kind is Lockable => !isMember(kind))
/** What there is to know of the kinds that stand on their own. */
export const lockables = Object.values(kinds).filter((kind) => !kind.isMember)

/** True for the kinds of record that have a history. */
export function isRecord(kind: string): kind is RestorableKind {
  return Object.hasOwn(kinds, kind)
}

/** True for the kinds of record that a collection holds. */
export function isMember(kind: string): kind is Member {
  return isRecord(kind) && kinds[kind].isMember
}

/** The kind of a stream; null where it is no record's. */
export function kindOfStream(stream: string): RestorableKind | null {
  const kind = stream.slice(0, stream.indexOf('-'))
  return isRecord(kind) ? kind : null
}
