import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { count } from '../model/numbers.js'
import { Button } from './basics.js'
import { type Column, type EditableRow, RowFields } from './RowFields.js'
import css from './Rows.module.css'
import { Virtual } from './Virtual.js'

interface RowsProps<R extends EditableRow> {
  /** What all of them are called, and one of them: `Headers`, `header`. */
  readonly label: string
  readonly one: string
  readonly rows: readonly R[]
  readonly change: (rows: readonly R[]) => void
  readonly columns: readonly Column<R>[]
  readonly fresh: R
  /** What is wrong with a row. */
  readonly faultOf?: (index: number) => string | undefined
}

/** More rows than these are only there while they can be seen. */
const DRAWN_MOST = 60
const ROW_PX = 44
const LIST_PX = 528

/** Rows that can be filled in, switched off, put into another order (Alt and the arrows), added (Enter) and removed. */
export function Rows<R extends EditableRow>(props: RowsProps<R>) {
  const { label, one, rows, change, columns, fresh, faultOf } = props
  const place = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(null)
  const [reveal, setReveal] = useState<number>()
  const [said, say] = useState('')
  useLayoutEffect(() => {
    const cell = wanted.current && place.current?.querySelector<HTMLElement>(`[data-cell="${wanted.current}"]`)
    if (!cell) return
    wanted.current = null
    cell.focus()
  })
  const focus = (index: number, column: string) => {
    wanted.current = `${index}/${column}`
    setReveal(index)
  }
  const add = (index: number) => {
    focus(index, 'key')
    change(rows.toSpliced(index, 0, fresh))
  }
  const remove = (index: number) => {
    if (rows.length > 1) focus(Math.min(index, rows.length - 2), 'key')
    else wanted.current = 'add'
    say(`${nameOf(rows[index], one, index)} is removed.`)
    change(rows.toSpliced(index, 1))
  }
  const move = (index: number, to: number, column: string) => {
    const row = rows[index]
    if (!row || to < 0 || to >= rows.length) return
    focus(to, column)
    say(`${nameOf(row, one, index)} is ${one} ${count(to + 1)} of ${count(rows.length)}.`)
    change(rows.toSpliced(index, 1).toSpliced(to, 0, row))
  }
  const drawn = (row: R, index: number) => (
    <RowFields
      key={index}
      {...{ row, index, one, columns, fault: faultOf?.(index), isLast: index === rows.length - 1 }}
      change={(changed) => change(rows.with(index, changed))}
      add={() => add(index + 1)}
      remove={() => remove(index)}
      move={(to, column) => move(index, to, column)}
    />
  )
  return (
    <div ref={place} class={`${css.rows} stack gap-2`}>
      {rows.length > 0 && (
        <div class={`${css.heads} row gap-4 hint`} aria-hidden="true">
          {columns.map(({ name, label, isSwitch }) => (
            <span key={name} class={isSwitch ? css.narrow : ''}>
              {label}
            </span>
          ))}
        </div>
      )}
      {rows.length > DRAWN_MOST ? (
        <Virtual
          class="scroll"
          role="list"
          aria-label={label}
          most_px={LIST_PX}
          isMeasured
          {...{ items: rows, rowHeight: ROW_PX, ...(reveal !== undefined && { reveal }) }}
        >
          {drawn}
        </Virtual>
      ) : (
        rows.length > 0 && (
          <div role="list" aria-label={label}>
            {rows.map(drawn)}
          </div>
        )
      )}
      <Button kind="quiet" icon="plus" data-cell="add" onClick={() => add(rows.length)}>
        Add a {one}
      </Button>
      <p class="visually-hidden" role="status">
        {said}
      </p>
    </div>
  )
}

const nameOf = (row: EditableRow | undefined, one: string, index: number) => row?.key || `The ${one} ${index + 1}`
