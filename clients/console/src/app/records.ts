import type { Schemas } from '@collections-hub/client'
import { type Contents, formOf, type Part } from '../model/forms.js'
import { type AloneKind, isMember, KINDS, type Kind, type MemberKind, type RecordRef } from '../model/records.js'
import { ask, hub, identity, isAdmin, seesRecords } from './session.js'

/** A record as the hub has it, with the entity tag that a change of it names. */
export type Loaded<K extends Kind = Kind> = {
  [One in K]: { readonly kind: One; readonly content: Contents[One]; readonly etag: string | null }
}[K]

const routeOf = (kind: Kind) => `/${KINDS[kind].plural}/{id}` as const
const membersRouteOf = (kind: MemberKind) => `/collections/{collectionId}/${KINDS[kind].plural}` as const
const adminRouteOf = (kind: AloneKind) => `/admin/${KINDS[kind].plural}/{id}` as const
const guarded = (ifMatch: string | null) => ifMatch !== null && { ifMatch }

/** Asks for a record, as it is or as it was at a moment: a time, or a place in the log. */
export async function loadRecord<K extends Kind>(
  { kind, id }: { readonly kind: K; readonly id: string },
  signal: AbortSignal,
  at?: string
): Promise<Loaded<K>> {
  const route = isAdmin.value ? (`/admin${routeOf(kind)}` as const) : routeOf(kind)
  const { body, etag } = await hub().request('GET', route, { path: { id }, query: { at }, signal })
  // The kind chose what was asked.
  return { kind, content: body, etag } as Loaded<K>
}

/** The collection that a record is in, also where its address does not say so; null for what stands by itself. */
export const collectionOf = ({ content }: Loaded) => ('collectionId' in content ? content.collectionId : null)

/** Whether who is signed in may change records: administrators look at what is there, and manage. */
export const mayEdit = (): boolean => seesRecords.value && !isAdmin.value

/** Whether they may look at a record, or the collection that it is in, and not change it. */
export const isViewed = ({ id, collectionId }: Pick<RecordRef, 'id' | 'collectionId'>): boolean =>
  identity().viewed?.includes(collectionId ?? id) ?? false

/** Whether they may change this record. */
export const mayChange = (ref: Pick<RecordRef, 'id' | 'collectionId'>): boolean => mayEdit() && !isViewed(ref)

/** Whether they say who has it, which stands by itself: administrators, its managers, and who has made it while they may change it. */
export function mayShare({ id, createdByUserId }: { readonly id: string; readonly createdByUserId: string | null }) {
  if (identity().token.scopes) return false
  if (isAdmin.value || identity().managed?.includes(id)) return true
  return mayChange({ id }) && createdByUserId === identity().user.id
}

/** Whether they may make records of a kind that stands by itself: that takes access to all of them. */
export const mayCreate = (kind: Kind): boolean => mayEdit() && identity().mayCreate.some((one) => one === kind)

/** Where a new member of a collection is to be: null for no folder. */
export interface Container {
  readonly collectionId: string
  readonly folderId: string | null
}

/** Where what stands by itself is made. */
export const NOWHERE: Container = { collectionId: '', folderId: null }

/** What is in a new member of a collection: each kind takes its own fields. */
const EMPTY = {
  ...{ method: 'GET', url: '', headers: [], params: [], body: '', bodyType: 'none', comment: '', content: '' },
  auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } },
  ...{ preRequestScript: '', postRequestScript: '' }
} as const

/** Makes a record with nothing in it but its name; members of a collection behind all others of their folder. */
export async function createRecord(kind: Kind, name: string, container: Container): Promise<RecordRef> {
  const { collectionId, folderId } = container
  if (!isMember(kind)) {
    const { id } = await ask('POST', `/${KINDS[kind].plural}`, { body: { name } })
    return { kind, id, collectionId: null }
  }
  const body = { ...EMPTY, name, folderId, parentFolderId: folderId }
  const { id } = await ask('POST', membersRouteOf(kind), { path: { collectionId }, body })
  return { kind, id, collectionId }
}

/**
 * Puts a form in place of what a record holds, while that is still what was read; gives back the record as it is then. What is not
 * edited goes back as it is: where a record stands, and what only the desktop knows of it.
 */
export async function saveRecord({ kind, content, etag: read }: Loaded, form: Part): Promise<Loaded> {
  // The kind has these fields, and chooses where they go.
  const options = { path: { id: content.id }, body: { ...content, ...form } as Contents[Kind], ...guarded(read) }
  const { body, etag } = await (kind === 'folder'
    ? hub().request('PATCH', '/folders/{id}', options)
    : hub().request('PUT', `/${KINDS[kind].plural}/{id}`, options))
  return { kind, content: body, etag } as Loaded
}

/** What can be put into another collection. */
export type Item = Loaded<'request' | 'document'>

export const isItem = (loaded: Loaded): loaded is Item => loaded.kind === 'request' || loaded.kind === 'document'

/** Whether they may make another of it: of what stands by itself who may make such a record, also where they only look at this one. */
export const mayDuplicate = (loaded: Loaded): boolean =>
  isMember(loaded.kind)
    ? mayChange({ id: loaded.content.id, collectionId: collectionOf(loaded) })
    : mayCreate(loaded.kind)

/**
 * Makes another of a record, with all that it holds, as who makes it may read it: all of it or nothing. Members of a collection go behind
 * all others of their folder; the name says that it is a copy.
 */
export async function duplicate(loaded: Loaded): Promise<RecordRef> {
  const made = await copied(loaded, `${loaded.content.name} (copy)`)
  return { kind: loaded.kind, id: made.body.id, collectionId: collectionOf(loaded) }
}

function copied({ kind, content }: Loaded, name: string) {
  if (kind === 'request' || kind === 'document') {
    const path = { collectionId: content.collectionId }
    return hub().request('POST', membersRouteOf(kind), { path, body: { ...content, name } })
  }
  if (kind === 'snippet' || kind === 'liveServer' || kind === 'livePage')
    return hub().request('POST', `/${KINDS[kind].plural}`, { body: { ...content, name } })
  return hub().request('POST', `/${KINDS[kind].plural}/{id}/copy`, { path: { id: content.id }, body: { name } })
}

/**
 * Puts a member into another collection, behind all others of a folder or of none: a folder with all that it holds, under another
 * id from then on.
 */
export async function moveAcross(item: Item | Loaded<'folder'>, to: Container): Promise<RecordRef> {
  if (item.kind === 'folder') {
    const body = { collectionId: to.collectionId, parentFolderId: to.folderId }
    const path = { id: item.content.id }
    const { body: made } = await hub().request('POST', '/folders/{id}/transfer', { path, body, ...guarded(item.etag) })
    return { kind: 'folder', id: made.id, collectionId: to.collectionId }
  }
  const moved = { ...item, content: { ...item.content, ...to } } as Item
  await saveRecord(moved, formOf(item))
  return { kind: item.kind, id: item.content.id, collectionId: to.collectionId }
}

/** Why the hub would not let the caller delete a record; null where it would. */
export function whyNotDelete({ kind, content }: Loaded): string | null {
  if ('deletionLocked' in content && content.deletionLocked) return 'An administrator has locked it against deletion.'
  const isCreators = kind === 'collection' || kind === 'request' || kind === 'document'
  if (!isCreators || content.createdByUserId === identity().user.id) return null
  return 'Only who has made it, or an administrator, can delete it.'
}

/** Deletes a record with all that it holds, while it is still what was read. */
export async function deleteRecord({ kind, content, etag }: Loaded): Promise<void> {
  await hub().request('DELETE', routeOf(kind), { path: { id: content.id }, ...guarded(etag) })
}

/** Deletes a record with all that it holds, as it is by now. */
export async function deleteUnseen({ kind, id }: RecordRef): Promise<void> {
  await hub().request('DELETE', routeOf(kind), { path: { id } })
}

/** Gives a record another name, while it is still what was read. */
export const renameRecord = (loaded: Loaded, name: string): Promise<Loaded> =>
  saveRecord(loaded, { ...formOf(loaded), name })

/** Deletes what stands by itself for an administrator, locked or not. */
export async function deleteAsAdmin(kind: AloneKind, id: string): Promise<void> {
  await hub().request('DELETE', adminRouteOf(kind), { path: { id } })
}

/** Locks what stands by itself against deletion by users, or unlocks it. */
export async function lockRecord(kind: AloneKind, id: string, deletionLocked: boolean): Promise<void> {
  await hub().request('PUT', adminRouteOf(kind), { path: { id }, body: { deletionLocked } })
}

/** Something that is gone and can be brought back: what it was, who deleted it and when, and how much went with it. */
export type DeletedRecord = Schemas['DeletedRecord']

/** What can be brought back, the newest first: one's own deletions, or for administrators all. */
export async function loadDeleted(limit: number, signal: AbortSignal): Promise<readonly DeletedRecord[]> {
  const path = isAdmin.value ? '/admin/deleted' : '/deleted'
  return (await ask('GET', path, { query: { limit }, signal })).deleted
}

/** Brings something back with all that went with it; says how many records of each kind are there again. */
export async function undelete({ kind, id }: RecordRef): Promise<Schemas['Undeleted']['restored']> {
  const path = isAdmin.value ? '/admin/undelete' : '/undelete'
  return (await ask('POST', path, { body: { kind, id } })).restored
}
