import type { Named } from '../../app/catalog.js'
import { outlineOfCollection } from '../../app/members.js'
import type { Drop } from '../../model/moving.js'
import { linesOf } from '../../model/outline.js'
import type { RecordRef } from '../../model/records.js'
import { Icon, KindMark, Name } from '../../ui/kit.js'
import css from './browse.module.css'

interface RowProps {
  readonly id: string
  readonly line: TreeLine
  readonly isHere: boolean
  readonly isActive: boolean
  readonly isChosen: boolean
  /** What dropping something now does here. */
  readonly mark: Drop['mark']['kind'] | undefined
  readonly isDragged: boolean
  readonly isDraggable: boolean
  readonly open: (event: MouseEvent) => void
  readonly toggle: () => void
}

/** One line of the tree. The tree has the focus; the line only says which one is meant. */
export function TreeRow({ id, line, mark, open, toggle, ...is }: RowProps) {
  const { ref, name, level, isOpen, place, siblings, method, isLocked } = line
  const classes = [
    `${css.row} pick row within unbroken gap-3`,
    is.isActive && css.active,
    is.isChosen && css.chosen,
    !ref && `${css.remark} hint`,
    mark && css[mark],
    is.isDragged && css.dragged
  ]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its lines
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
    <div
      id={id}
      role="treeitem"
      class={classes.filter(Boolean).join(' ')}
      style={{ '--indent': `${(level - 1) * 0.875 + 0.25}rem` }}
      aria-level={level}
      aria-expanded={isOpen}
      aria-selected={is.isHere || is.isChosen}
      aria-posinset={place}
      aria-setsize={siblings}
      title={name}
      draggable={is.isDraggable}
      onClick={open}
    >
      {isOpen === undefined ? (
        <span class={`${css.gap} still`} />
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
        // biome-ignore lint/a11y/noStaticElementInteractions: a part of the line that opens it alone
        <span
          class={`${css.fold} center still ${isOpen ? css.unfolded : ''}`}
          onClick={(event) => {
            event.stopPropagation()
            toggle()
          }}
        >
          <Icon name="open" size={14} />
        </span>
      )}
      {ref && <KindMark kind={ref.kind} method={method} size={16} />}
      <Name class="cut" of={name} />
      {isLocked && <Icon name="lock" size={13} />}
      {is.isChosen && <Icon name="check" size={14} />}
    </div>
  )
}

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
  /** Asks anew for what could not be read. */
  readonly again?: () => void
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
  const { state: of, reload } = outlineOfCollection(collectionId)
  const state = of.value
  if (state.is === 'loading') return [remark(collectionId, 'Loading…')]
  if (state.is === 'failed')
    return [{ ...remark(collectionId, `Try again: ${state.failure.message}`), again: () => void reload() }]
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
