import type { Drop } from '../../model/dropping.js'
import { Icon, type IconName } from '../../ui/Icon.js'
import { Method } from '../../ui/Method.js'
import css from './CollectionTree.module.css'
import type { TreeLine } from './lines.js'

interface RowProps {
  readonly id: string
  readonly line: TreeLine
  readonly isHere: boolean
  readonly isActive: boolean
  /** What dropping something now does here. */
  readonly mark: Drop['mark']['kind'] | undefined
  readonly isDragged: boolean
  readonly open: () => void
  readonly toggle: () => void
}

const ICONS: Readonly<Record<string, IconName>> = { collection: 'hub', folder: 'folder', document: 'document' }

/** One line of the tree. The tree has the focus; the line only says which one is meant. */
export function TreeRow({ id, line, isHere, isActive, mark, isDragged, open, toggle }: RowProps) {
  const { ref, name, level, isOpen, place, siblings, method, isLocked } = line
  const icon = ref ? ICONS[ref.kind] : undefined
  const classes = [css.row, isActive && css.active, !ref && css.remark, mark && css[mark], isDragged && css.dragged]
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
      aria-selected={isHere}
      aria-posinset={place}
      aria-setsize={siblings}
      title={name}
      onClick={open}
    >
      {isOpen === undefined ? (
        <span class={css.gap} />
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
        // biome-ignore lint/a11y/noStaticElementInteractions: a part of the line that opens it alone
        <span
          class={`${css.fold} ${isOpen ? css.unfolded : ''}`}
          onClick={(event) => {
            event.stopPropagation()
            toggle()
          }}
        >
          <Icon name="open" size={14} />
        </span>
      )}
      {method !== undefined ? <Method method={method} isShort /> : icon && <Icon name={icon} size={16} />}
      <bdi class={css.name}>{name}</bdi>
      {isLocked && <Icon name="lock" size={13} />}
    </div>
  )
}
