import type { z } from 'zod'
import type { NewEvent } from '../../../src/log/event.js'
import type { Row } from '../../../src/storage/storage.js'
import { ATTRIBUTION, type ItemPosition } from '../../content.js'
import type { ExpectedRevisions } from '../../context.js'
import type { EventDefinition } from '../../event.js'
import type { Command } from '../../index.js'
import { attributionOf, nameOf, splice } from '../../record.js'
import type { attribution } from '../../table.js'
import { type ContentOf, contentsOf, type Field, type Fields, type SubmittedOf } from '../fields.js'
import { itemPositionOf, type MemberKind, type RestoredData, recordEvent, restoredEvent, stepsNamed } from '../kind.js'
import { itemSequence } from '../sequences.js'
import type { orderedTable } from '../tables.js'

type ItemFields = Fields & { readonly name: Field<z.ZodString>; readonly marker: Field<z.ZodNullable<z.ZodString>> }
type ItemTable = ReturnType<typeof orderedTable>
export type ItemColumns = ItemTable['columns']
export type ItemRow = Row<ItemColumns>
export type ItemContent = { readonly name: string; readonly marker: string | null }

/**
 * A kind of what a container (a folder, or the root of a collection) holds besides folders. `C` is its content, and `S` the same as
 * a command brings it: what that leaves out of what may be left out stays as it is.
 */
export interface ItemKind<L extends string = string, C = ItemContent, S extends object = object>
  extends MemberKind<L, RestoredData & ItemPosition & { content: C }, ItemColumns> {
  readonly kind: 'request' | 'document'
  /** True where the row has this content, which `whole` has made, already. */
  holds(row: Row, content: C): boolean
  /** The content as it is to be, in the order of its schema: what is left out as the row has it, or as that of a new item is. */
  whole(submitted: S, row: Row | null): C
  created(id: string, data: ItemPosition & { readonly content: C }): NewEvent
  updated(id: string, data: ItemPosition & { readonly content: C; readonly previousCollectionId?: string }): NewEvent
  moved(id: string, data: ItemPosition): NewEvent
}

/** The events of a kind of item, by which the others name them. */
type Definitions<L extends string> = Readonly<
  Record<`${L}${'Created' | 'Updated' | 'Moved' | 'Deleted' | 'Restored'}`, EventDefinition>
>

interface Described<L extends string, F extends ItemFields> {
  readonly emit: { readonly kind: ItemKind['kind']; readonly definitions: Definitions<L> }
  readonly label: L
  readonly plural: string
  readonly table: ItemTable
  readonly fields: F
  /** The command that puts this content in place of what is there. */
  update(command: Update<ContentOf<F>>): Command & { readonly id: string }
}

interface Update<C> {
  readonly id: string
  readonly collectionId: string
  readonly folderId: string | null
  readonly content: C
  readonly ifRevision: ExpectedRevisions
}

/** Describes a kind of item. */
export function itemKind<L extends string, F extends ItemFields>({
  emit: { kind },
  label,
  plural,
  table,
  fields,
  update
}: Described<L, F>): ItemKind<L, ContentOf<F>, SubmittedOf<F>> {
  const named = { kind, label, title: label }
  const { contentOf, whole } = contentsOf(fields, (row) => JSON.parse(row.body))
  return {
    ...named,
    ...{ plural, path: plural, table, fields },
    shown: [...Object.keys(fields), 'collectionId', 'folderId', 'sortOrder', ...ATTRIBUTION],
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
    whole,
    created: (id, data) => recordEvent(named, id, 'Created', data),
    updated: (id, data) => recordEvent(named, id, 'Updated', data),
    moved: (id, data) => recordEvent(named, id, 'Moved', data)
  }
}
