import type { ComponentChildren } from 'preact'
import { go, linkWith, route } from '../../app/route.js'
import css from './Toolbar.module.css'

interface ToolbarProps {
  /** What is typed into it finds. */
  readonly label: string
  /** How much is shown of how much there is. */
  readonly about: string
  readonly children?: ComponentChildren
}

/** What stands above a list: a filter, which is part of the address, and how much it leaves. */
export function Toolbar({ label, about, children }: ToolbarProps) {
  return (
    <div class={css.bar} role="search" aria-label={label}>
      <input
        class={css.filter}
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={typedFilter()}
        onInput={({ currentTarget }) => go(linkWith({ q: currentTarget.value || null }), { replace: true })}
      />
      {children}
      <span class={css.about} role="status">
        {about}
      </span>
    </div>
  )
}

/** What the list is filtered by. */
export const typedFilter = (): string => route.value.query.get('q') ?? ''

interface OneOfProps<V extends string> {
  readonly label: string
  /** What the choice is called in the address. */
  readonly name: string
  readonly options: readonly (readonly [value: V | '', text: string])[]
  readonly value: V | ''
}

/** A choice between a few that a list is narrowed by, part of the address too. */
export function OneOf<V extends string>({ label, name, options, value }: OneOfProps<V>) {
  return (
    <select
      class={css.select}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => go(linkWith({ [name]: currentTarget.value || null }), { replace: true })}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  )
}
