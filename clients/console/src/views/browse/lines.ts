import type { Named } from '../../app/catalog.js'
import { outlineOfCollection } from '../../app/members.js'
import { linesOf } from '../../model/outline.js'
import type { RecordRef } from '../../model/records.js'

/** A line of the tree of all collections, as it is shown. */
export interface TreeLine {
  /** Null where the line only says how things stand with the collection above it. */
  readonly ref: RecordRef | null
  readonly id: string
  readonly name: string
  readonly level: number
  /** Undefined where nothing can be inside. */
  readonly isOpen?: boolean
  readonly place: number
  readonly siblings: number
  readonly method?: string
  readonly isLocked?: boolean
}

/** What can be seen of these collections with `open` unfolded. What is not known yet is asked for. */
export function treeLines(collections: readonly Named[], open: ReadonlySet<string>): readonly TreeLine[] {
  const lines: TreeLine[] = []
  for (const [index, { id, name, isLocked }] of collections.entries()) {
    const isOpen = open.has(id)
    const place = { place: index + 1, siblings: collections.length }
    lines.push({ ref: { kind: 'collection', id }, id, name, level: 1, isOpen, isLocked, ...place })
    if (isOpen) for (const line of inside(id, open)) lines.push(line)
  }
  return lines
}

function inside(collectionId: string, open: ReadonlySet<string>): readonly TreeLine[] {
  const state = outlineOfCollection(collectionId).state.value
  if (state.is === 'loading') return [remark(collectionId, 'Loading…')]
  if (state.is === 'failed') return [remark(collectionId, state.failure.message)]
  const lines = linesOf(state.value, open)
  if (lines.length === 0) return [remark(collectionId, 'Nothing in it yet')]
  return lines.map(({ member: { kind, id, name, method }, level, isOpen, place, siblings }) => ({
    ref: { kind, id, collectionId },
    id,
    name,
    level: level + 1,
    place,
    siblings,
    ...(kind === 'folder' && { isOpen }),
    ...(method !== undefined && { method })
  }))
}

const remark = (id: string, name: string): TreeLine => ({
  ref: null,
  id: `about-${id}`,
  name,
  level: 2,
  place: 1,
  siblings: 1
})
