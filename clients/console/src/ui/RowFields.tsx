import { Button } from './basics.js'
import { useUnset } from './Referring.js'
import css from './Rows.module.css'

export interface EditableRow {
  readonly key: string
  readonly value: string
  readonly enabled: boolean
}

/** What of a row is filled in. */
export interface Column<R> {
  readonly name: string & keyof R
  readonly label: string
  /** A switch is on or off; everything else is a text. */
  readonly isSwitch?: boolean
  /** Whether the text is one that nobody should read over a shoulder: it shows while somebody is in it. */
  readonly isSecret?: (row: R) => boolean
}

interface RowFieldsProps<R extends EditableRow> {
  readonly row: R
  readonly index: number
  readonly one: string
  readonly columns: readonly Column<R>[]
  readonly isLast: boolean
  readonly fault: string | undefined
  readonly change: (row: R) => void
  readonly add: () => void
  readonly remove: () => void
  /** Puts the row in another place, with the focus in the same column of it. */
  readonly move: (to: number, column: string) => void
}

/** One row to fill in. */
export function RowFields<R extends EditableRow>(props: RowFieldsProps<R>) {
  const { row, index, one, columns, isLast, fault, change, add, remove, move } = props
  const called = `${one} ${index + 1}`
  const texts = columns.filter(({ isSwitch }) => !isSwitch).map(({ name }) => String(row[name]))
  const unset = useUnset(row.enabled ? texts : [])
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined
    const column = cell?.split('/')[1] ?? 'key'
    if (event.altKey && event.key === 'ArrowUp') move(index - 1, column)
    else if (event.altKey && event.key === 'ArrowDown') move(index + 1, column)
    else if (
      event.key === 'Enter' &&
      !event.isComposing &&
      event.target instanceof HTMLInputElement &&
      !event.ctrlKey &&
      !event.metaKey
    )
      add()
    else return
    event.preventDefault()
  }
  const attributes = (name: string, label: string) => ({
    'data-cell': `${index}/${name}`,
    'aria-label': `${label}, ${called}`,
    'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown'
  })
  return (
    <div role="listitem">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the fields in it */}
      <div class={`${css.row} row gap-4 ${row.enabled ? '' : css.off}`} onKeyDown={onKeyDown}>
        <input
          type="checkbox"
          checked={row.enabled}
          {...attributes('enabled', 'On')}
          onChange={({ currentTarget }) => change({ ...row, enabled: currentTarget.checked })}
        />
        {columns.map(({ name, label, isSwitch, isSecret }) =>
          isSwitch ? (
            <label key={name} class={`${css.switch} row hint gap-3`}>
              <input
                type="checkbox"
                checked={Boolean(row[name])}
                {...attributes(name, label)}
                onChange={({ currentTarget }) => change({ ...row, [name]: currentTarget.checked })}
              />
              <span aria-hidden="true">{label}</span>
            </label>
          ) : (
            <input
              key={name}
              class={`${css.input} fit ${isSecret?.(row) ? css.secret : ''}`}
              value={String(row[name])}
              placeholder={label}
              spellcheck={false}
              autocomplete="off"
              aria-invalid={fault !== undefined}
              {...attributes(name, label)}
              onInput={({ currentTarget }) => change({ ...row, [name]: currentTarget.value })}
            />
          )
        )}
        <span class={`${css.tools} flex still`}>
          <Button
            kind="quiet"
            icon="up"
            data-cell={`${index}/up`}
            aria-label={`Move ${called} up`}
            aria-disabled={index === 0}
            onClick={() => move(index - 1, 'up')}
          />
          <Button
            kind="quiet"
            icon="down"
            data-cell={`${index}/down`}
            aria-label={`Move ${called} down`}
            aria-disabled={isLast}
            onClick={() => move(index + 1, 'down')}
          />
          <Button kind="quiet" icon="close" aria-label={`Remove ${called}`} onClick={remove} />
        </span>
      </div>
      {fault ? (
        <p class={`${css.below} fault`} role="alert">
          {fault}
        </p>
      ) : (
        unset && <p class={`${css.below} hint`}>{unset}</p>
      )}
    </div>
  )
}
