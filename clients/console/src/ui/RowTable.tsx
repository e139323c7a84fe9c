import type { ComponentChildren } from 'preact'
import { go, linkWith } from '../app/route.js'
import { Icon } from './basics.js'
import css from './RowTable.module.css'
import { Virtual } from './Virtual.js'

/** How high a row is before it is measured. */
const ROW_PX = 56

export interface Column<T> {
  readonly title: string
  /** Its width, as a track of a grid. */
  readonly width: string
  readonly cell: (row: T) => ComponentChildren
  /** What the order by this column is called in the address, and whether it begins with the most. */
  readonly order?: string
  readonly isDescending?: boolean
  /** Whether the cell says by itself what it is, so that a card needs no name for it. */
  readonly isPlain?: boolean
}

interface RowTableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** The order that the rows stand in. */
  readonly order?: { readonly by: string; readonly isReversed: boolean }
}

/** A table of any length, of which only what can be seen is there. Where it is narrow each row is a card. */
export function RowTable<T>({ label, columns, rows, keyOf, order }: RowTableProps<T>) {
  const tracks = columns.map(({ width }) => width).join(' ')
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      class={`${css.table} fit`}
      style={{ '--columns': tracks }}
    >
      <div role="rowgroup" class={`${css.top} clip`}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: rows of a table are read; only those of a grid are focused */}
        <div role="row" aria-rowindex={1} class={`${css.head} stack gap-8 hint ruled`}>
          {columns.map((column) => (
            <Head key={column.title} column={column} order={order} />
          ))}
        </div>
      </div>
      <Virtual role="rowgroup" class={`${css.rows} scroll`} items={rows} rowHeight={ROW_PX} isMeasured keyOf={keyOf}>
        {(row, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div role="row" aria-rowindex={index + 2} class={`${css.row} stack gap-8 ruled`}>
            {columns.map(({ title, cell, isPlain }, place) => {
              const content = cell(row)
              return (
                <div key={title} role={place === 0 ? 'rowheader' : 'cell'} class={`${css.cell} fit`}>
                  {title !== '' && !isPlain && content && <span class={`${css.name} hint`}>{title}</span>}
                  {content}
                </div>
              )
            })}
          </div>
        )}
      </Virtual>
    </div>
  )
}

interface HeadProps<T> {
  readonly column: Column<T>
  readonly order: RowTableProps<T>['order']
}

/** The name of a column; where rows can be ordered by it, the way to do so, and the other way round. */
function Head<T>({ column: { title, order: by, isDescending = false }, order }: HeadProps<T>) {
  if (by === undefined) {
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: as above
      <div role="columnheader" class={css.title}>
        {title === '' ? <span class="visually-hidden">Actions</span> : title}
      </div>
    )
  }
  const isOrder = order?.by === by
  const sort = isOrder ? (order.isReversed === isDescending ? 'ascending' : 'descending') : 'none'
  const next = isOrder && !order.isReversed ? `-${by}` : by
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it is
    <div role="columnheader" aria-sort={sort} class={`${css.title} ${css.sorting}`}>
      <button
        type="button"
        class={`${css.sort} gap-2`}
        onClick={() => go(linkWith({ order: next }), { replace: true })}
      >
        {title}
        <span class={`${css.arrow} ${css[sort]}`}>
          <Icon name="open" size={12} />
        </span>
      </button>
    </div>
  )
}
