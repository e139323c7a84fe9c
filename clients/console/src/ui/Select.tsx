import css from './Field.module.css'
import { type Frame, Framed } from './Framed.js'

interface SelectProps<V extends string> extends Frame {
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly change: (value: V) => void
  readonly disabled?: boolean
}

/** A choice of one of a few. */
export function Select<V extends string>({ label, hint, fault, value, options, change, disabled }: SelectProps<V>) {
  return (
    <Framed label={label} hint={hint} fault={fault}>
      {(named) => (
        <select
          {...named}
          class={css.input}
          value={value}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            const chosen = options[currentTarget.selectedIndex]
            if (chosen) change(chosen.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Framed>
  )
}
