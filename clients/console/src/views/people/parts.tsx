import type { ComponentChildren } from 'preact'
import { go, linkTo, linkWith, route } from '../../app/route.js'
import { count } from '../../model/numbers.js'
import { Button, Dialogs, type IconName, Notice, Placeholder, Time, Trail } from '../../ui/kit.js'
import css from './people.module.css'

interface FilteredProps {
  /** What is typed above the list finds. */
  readonly label: string
  /** How many there are, and how many of them the filter leaves. */
  readonly all: number
  readonly found: number
  /** What is said of all of them where nothing is filtered out. */
  readonly about: string
  /** What else the list is narrowed by. */
  readonly narrow?: ComponentChildren
  /** What stands in place of the list where the filter leaves nothing. */
  readonly none: { readonly icon: IconName; readonly title: string; readonly hint: string }
  readonly children: ComponentChildren
}

/** A list below a filter, which is part of the address, with how much that leaves. */
export function Filtered({ label, all, found, about, narrow, none, children }: FilteredProps) {
  return (
    <Dialogs>
      <div class={`${css.bar} row wrap`} role="search" aria-label={label}>
        <input
          class={css.filter}
          type="search"
          aria-label={label}
          placeholder={label}
          maxLength={200}
          value={typedFilter()}
          onInput={({ currentTarget }) => go(linkWith({ q: currentTarget.value || null }), { replace: true })}
        />
        {narrow}
        <span class="hint" role="status">
          {found < all ? `${count(found)} of ${count(all)}` : about}
        </span>
      </div>
      {found === 0 ? (
        <Placeholder icon={none.icon} title={none.title}>
          <p>{none.hint}</p>
        </Placeholder>
      ) : (
        children
      )}
    </Dialogs>
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

/** The way up to the list of people. */
export const Above = () => <Trail steps={[{ name: 'People', href: linkTo(['people']) }]} />

/** Tells that what was typed into a form before is there again, which may be long ago. */
export function Restored({ discard }: { readonly discard: () => void }) {
  return (
    <Notice tone="note">
      What you typed here before is here again, and not saved yet. <Button onClick={discard}>Discard it</Button>
    </Notice>
  )
}

/** When something was last used, or that it never was. */
export function LastUse({ at }: { readonly at: string | null }) {
  return at === null ? <span class="soft">never</span> : <Time at={at} />
}
