import { z } from 'zod'
import type { attribution } from '../../projections/define.js'
import type { orderedTable } from '../../projections/item.js'
import { attributionOf, nameOf, splice } from '../../projections/record.js'
import { itemSequence } from '../../projections/sequences.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Row } from '../../src/storage/storage.js'
import type { ItemPosition } from '../content.js'
import type { ExpectedRevisions } from '../context.js'
import type { EventDefinition } from '../event.js'
import type { Command } from '../index.js'
import { itemPositionOf, type MemberKind, type RestoredData, recordEvent, restoredEvent, stepsNamed } from '../kind.js'

type ItemTable = ReturnType<typeof orderedTable>
export type ItemColumns = ItemTable['columns']
export type ItemRow = Row<ItemColumns>
/** What a client may leave out of the content: not every one knows it. */
export type Keepable = 'marker' | 'protocol'
/** The content that a command brings. What it leaves out of what may be left out stays as it is. */
export type Submitted<C extends ItemContent> = Omit<C, Keepable> & {
  readonly [F in Keepable & keyof C]?: C[F] | undefined
}
export type ItemContent = { readonly name: string; readonly marker: string | null }

/** A kind of what a container (a folder, or the root of a collection) holds besides folders. `C` is its content. */
export interface ItemKind<L extends string = string, C extends ItemContent = ItemContent>
  extends MemberKind<L, RestoredData & ItemPosition & { content: C }, ItemColumns> {
  readonly kind: 'request' | 'document'
  /** True where the row has this content, which `whole` has made, already. */
  holds(row: Row, content: C): boolean
  /** The content as it is to be, in the order of its schema: what is left out as the row has it, or as that of a new item is. */
  whole(submitted: Submitted<C>, row: Row | null): C
  created(id: string, data: ItemPosition & { readonly content: C }): NewEvent
  updated(id: string, data: ItemPosition & { readonly content: C; readonly previousCollectionId?: string }): NewEvent
  moved(id: string, data: ItemPosition): NewEvent
}

/** The events of a kind of item, by which the others name them. */
type Definitions<L extends string> = Readonly<
  Record<`${L}${'Created' | 'Updated' | 'Moved' | 'Deleted' | 'Restored'}`, EventDefinition>
>

interface Described<L extends string, S extends z.ZodType<ItemContent>> {
  readonly emit: { readonly kind: ItemKind['kind']; readonly definitions: Definitions<L> }
  readonly label: L
  readonly plural: string
  readonly table: ItemTable
  readonly content: S
  readonly kept: z.ZodObject & z.ZodType<Partial<z.infer<S>>>
  /** The command that puts this content in place of what is there. */
  update(command: Update<z.infer<S>>): Command & { readonly id: string }
}

interface Update<C> {
  readonly id: string
  readonly collectionId: string
  readonly folderId: string | null
  readonly content: C
  readonly ifRevision: ExpectedRevisions
}

/** Describes a kind of item. */
export function itemKind<L extends string, S extends z.ZodType<ItemContent>>({
  emit: { kind },
  label,
  plural,
  table,
  content,
  kept,
  update
}: Described<L, S>): ItemKind<L, z.infer<S>> {
  const named = { kind, label, title: label }
  const keepable = Object.keys(kept.shape)
  const schema = z.compile(content)
  const contentOf = (row: Row) => schema.parse(JSON.parse(row.body))
  return {
    ...named,
    ...{ plural, path: plural, table },
    isMember: true,
    holds: (row, given) => JSON.stringify({ id: row.id, ...given }) === row.body,
    steps: stepsNamed(label, ['Moved']),
    sequence: itemSequence,
    reordered: 'ItemsReordered',
    record(row: ItemRow & Row<typeof attribution>, place) {
      const { collectionId, inside: folderId, sortOrder } = itemPositionOf(row)
      return splice(row.body, { collectionId, folderId, sortOrder: place ?? sortOrder, ...attributionOf(row) })
    },
    parentOf: (row) => itemPositionOf(row).inside,
    removal: async (row: ItemRow) => [
      recordEvent(named, row.id, 'Deleted', { name: nameOf(row), collectionId: row.collectionId })
    ],
    restorable(row, coming) {
      const { inside: folderId, ...place } = itemPositionOf(row)
      return restoredEvent(named, row, coming, { content: contentOf(row), ...place, folderId })
    },
    restoring(past, now, hasParent, ifRevision) {
      const [{ collectionId, inside: was }, is] = [itemPositionOf(past), itemPositionOf(now)]
      const folderId = hasParent && collectionId === is.collectionId ? was : is.inside
      return update({ id: now.id, collectionId: is.collectionId, folderId, content: contentOf(past), ifRevision })
    },
    whole(submitted, row) {
      const isLeftOut = (field: string) => Reflect.get(submitted, field) === undefined
      const there = keepable.some(isLeftOut) ? kept.parse(row ? JSON.parse(row.body) : {}) : {}
      const left = Object.entries(there).filter(([field]) => isLeftOut(field))
      return schema.parse({ ...submitted, ...Object.fromEntries(left) })
    },
    created: (id, data) => recordEvent(named, id, 'Created', data),
    updated: (id, data) => recordEvent(named, id, 'Updated', data),
    moved: (id, data) => recordEvent(named, id, 'Moved', data)
  }
}
