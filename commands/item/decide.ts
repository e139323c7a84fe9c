import { z } from 'zod'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { existingCollection } from '../collection/decide.js'
import {
  type Caller,
  type Context,
  type ExpectedRevisions,
  requireCollection,
  requireRevision,
  requireUser
} from '../context.js'
import { nameOf } from '../named.js'
import type { itemRemoval } from '../removal.js'
import type { Place } from './event.js'
import { endOf, type ItemKind, type ItemRow, inOrder, itemTables, itemThings, placeAt, requireFolder } from './place.js'

/** The content that a command brings: a missing marker keeps the one that is there. */
export type Submitted<C extends { readonly marker: string | null }> = Omit<C, 'marker'> & {
  readonly marker?: string | null | undefined
}

interface Target {
  readonly id: string
}
interface Content<C extends { readonly marker: string | null }> extends Target {
  readonly collectionId: string
  readonly folderId: string | null
  readonly content: Submitted<C>
}
interface Moving extends Target, Guarded {
  readonly folderId: string | null
  readonly index: number
}
interface Reordering {
  readonly collectionId: string
  readonly folderId: string | null
  readonly orderedIds: readonly string[]
}
interface Guarded {
  readonly ifRevision?: ExpectedRevisions
}

/** The commands on one kind of item, `Kind` being its name in them. */
export type ItemCommand<Kind extends string, C extends { readonly marker: string | null }> =
  | ({ readonly type: `Create${Kind}` } & Content<C>)
  | ({ readonly type: `Update${Kind}` } & Content<C> & Guarded)
  | ({ readonly type: `Delete${Kind}` } & Target & Guarded)
  | ({ readonly type: `Move${Kind}` } & Moving)
  | ({ readonly type: `Reorder${Kind}s` } & Reordering)

/** How one kind of item is written down. */
export interface ItemWording<C> {
  readonly kind: ItemKind
  readonly body: (id: string, content: C) => object
  readonly created: (id: string, data: Place & { content: C }) => NewEvent
  readonly updated: (id: string, data: Place & { content: C; previousCollectionId?: string }) => NewEvent
  readonly moved: (id: string, data: Place) => NewEvent
  readonly deleted: (id: string, data: z.infer<typeof itemRemoval>) => NewEvent
}

type Decision = Promise<readonly NewEvent[]>

/** A new item goes to the end of its container. */
export async function createItem<C extends { readonly marker: string | null }>(
  words: ItemWording<C>,
  { id, collectionId, folderId, content: submitted }: Content<C>,
  { caller, read }: Context
): Decision {
  requireCollection(caller, collectionId)
  await existingCollection(collectionId, read)
  await requireFolder(collectionId, folderId, read)
  const sortOrder = await endOf(collectionId, folderId ?? collectionId, read)
  const content = withMarker<C>(submitted, null)
  return [words.created(id, { collectionId, folderId, sortOrder, content })]
}

/** Everyone with access may update an item. Taking it to another collection takes access to both. */
export async function updateItem<C extends { readonly marker: string | null }>(
  words: ItemWording<C>,
  { id, collectionId, folderId, content: submitted, ifRevision }: Content<C> & Guarded,
  { caller, read }: Context
): Decision {
  requireCollection(caller, collectionId)
  const row = await accessibleItem(words.kind, id, caller, read)
  if (collectionId !== row.collectionId) await existingCollection(collectionId, read)
  await requireFolder(collectionId, folderId, read)
  const container = folderId ?? collectionId
  const stays = container === row.container
  requireRevision(row, ifRevision)
  const content = withMarker<C>(submitted, markerOf(row))
  if (stays && JSON.stringify(words.body(id, content)) === row.body) return []
  const sortOrder = stays ? row.sortOrder : await endOf(collectionId, container, read)
  const previous = collectionId === row.collectionId ? {} : { previousCollectionId: row.collectionId }
  return [words.updated(id, { collectionId, folderId, sortOrder, content, ...previous })]
}

/** Only its creator deletes an item. */
export async function deleteItem<C>(
  words: ItemWording<C>,
  { id, ifRevision }: Target & Guarded,
  { caller, read }: Context
): Decision {
  const row = await accessibleItem(words.kind, id, caller, read)
  if (row.createdBy !== caller.userId) throw errors.forbidden()
  requireRevision(row, ifRevision)
  return [words.deleted(id, removalOf(row))]
}

/** What the event of an item's deletion tells of it. */
export function removalOf(row: ItemRow): z.infer<typeof itemRemoval> {
  return { name: nameOf(row), collectionId: row.collectionId }
}

/** An item moves within its collection; where there is no room, its new siblings are spaced anew first. */
export async function moveItem<C>(
  words: ItemWording<C>,
  { id, folderId, index, ifRevision }: Moving,
  { caller, read }: Context
): Decision {
  const row = await accessibleItem(words.kind, id, caller, read)
  requireRevision(row, ifRevision)
  const target = await placeAt(words.kind, row, { folderId, index }, read)
  return target ? [...target.respaced, words.moved(id, target.place)] : []
}

/** The listed items come first, in this order, in the container. */
export async function reorderItems<C>(
  words: ItemWording<C>,
  { collectionId, folderId, orderedIds }: Reordering,
  { caller, read }: Context
): Decision {
  requireCollection(caller, collectionId)
  await existingCollection(collectionId, read)
  return inOrder(words, collectionId, folderId, orderedIds, read)
}

/** An item that the caller may see and change: 404 where there is none, 403 outside the caller's collections. */
export async function accessibleItem(kind: ItemKind, id: string, caller: Caller, read: ReadStore): Promise<ItemRow> {
  requireUser(caller)
  if (caller.collectionAccess.length === 0) throw errors.forbidden()
  const row = await read.get(itemTables[kind], id)
  if (!row) throw errors.notFound(itemThings[kind])
  requireCollection(caller, row.collectionId)
  return row
}

function withMarker<C extends { readonly marker: string | null }>(submitted: Submitted<C>, kept: string | null): C {
  const { marker = kept, ...rest } = submitted
  // What was submitted is the content but for the marker, which is now there.
  return { ...rest, marker } as C
}

const marked = z.object({ marker: z.string().nullable() })

function markerOf(row: Row): string | null {
  return marked.parse(JSON.parse(row.body)).marker
}
