import { errors } from '../../../src/errors.js'
import { type Decider, requireCollection, requireRevision } from '../../context.js'
import { existingCollection } from '../collection/decide.js'
import { alterable, changeable, type Target } from '../kind.js'
import type { ItemContent, ItemKind } from './kind.js'
import { endOf, inOrder, positionAt, requireFolder } from './position.js'

interface Content<S> {
  readonly id: string
  readonly collectionId: string
  readonly folderId: string | null
  readonly content: S
}
export interface Moving extends Target {
  readonly folderId: string | null
  readonly index: number
}
interface Reordering {
  readonly collectionId: string
  readonly folderId: string | null
  readonly orderedIds: readonly string[]
}

/** The commands on one kind of item, `Kind` being its name in them and `S` the content that they bring. */
export type ItemCommand<Kind extends string, S> =
  | ({ readonly type: `Create${Kind}` } & Content<S>)
  | ({ readonly type: `Update${Kind}` } & Content<S> & Target)
  | ({ readonly type: `Delete${Kind}` } & Target)
  | ({ readonly type: `Move${Kind}` } & Moving)
  | ({ readonly type: `Reorder${Kind}s` } & Reordering)

/** A new item goes to the end of its container. */
export function createItem<S extends object>(kind: ItemKind<string, ItemContent, S>): Decider<Content<S>> {
  return async ({ id, collectionId, folderId, content: submitted }, { caller, read }) => {
    requireCollection(caller, collectionId)
    await existingCollection(collectionId, read)
    await requireFolder(collectionId, folderId, read)
    const sortOrder = await endOf(collectionId, folderId ?? collectionId, read)
    const content = kind.whole(submitted, null)
    return [kind.created(id, { collectionId, folderId, sortOrder, content })]
  }
}

/** Everyone with access may update an item. Taking it to another collection takes access to both. */
export function updateItem<S extends object>(kind: ItemKind<string, ItemContent, S>): Decider<Content<S> & Target> {
  return async ({ id, collectionId, folderId, content: submitted, ifRevision }, { caller, read }) => {
    requireCollection(caller, collectionId)
    const row = await alterable(kind, id, caller, read)
    if (collectionId !== row.collectionId) await existingCollection(collectionId, read)
    await requireFolder(collectionId, folderId, read)
    const container = folderId ?? collectionId
    const stays = container === row.container
    requireRevision(row, ifRevision)
    const content = kind.whole(submitted, row)
    if (stays && kind.holds(row, content)) return []
    const sortOrder = stays ? row.sortOrder : await endOf(collectionId, container, read)
    const previous = collectionId === row.collectionId ? {} : { previousCollectionId: row.collectionId }
    return [kind.updated(id, { collectionId, folderId, sortOrder, content, ...previous })]
  }
}

/** Only its creator deletes an item. */
export function deleteItem(kind: ItemKind): Decider<Target> {
  return async ({ id, ifRevision }, { caller, read }) => {
    const row = await alterable(kind, id, caller, read)
    if (row.createdBy !== caller.userId) throw errors.forbidden()
    requireRevision(row, ifRevision)
    return kind.removal(row, read)
  }
}

/** An item moves within its collection; where there is no room, its new siblings are spaced anew first. */
export function moveItem(kind: ItemKind): Decider<Moving> {
  return async (command, context) => {
    const row = await changeable(kind, command, context)
    const target = await positionAt(kind, row, command, context.read)
    return target ? [...target.respaced, kind.moved(row.id, target.place)] : []
  }
}

/** The listed items come first, in this order, in the container. */
export function reorderItems(kind: ItemKind): Decider<Reordering> {
  return async ({ collectionId, folderId, orderedIds }, { caller, read }) => {
    requireCollection(caller, collectionId)
    await existingCollection(collectionId, read)
    return inOrder(kind, collectionId, folderId, orderedIds, read)
  }
}
