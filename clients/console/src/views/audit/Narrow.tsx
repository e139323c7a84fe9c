import { useId, useState } from 'preact/hooks'
import { now } from '../../app/clock.js'
import { go, linkWith } from '../../app/route.js'
import type { Chip } from '../../model/auditChips.js'
import { type AuditFilter, dayRange, RANGES, sinceDays, TERMS } from '../../model/auditFilter.js'
import { Button, Icon, Name, Tabs } from '../../ui/kit.js'
import css from './audit.module.css'

/** What a search can be narrowed by in words; kinds, types, people and days can be chosen beside the list. */
const BY = {
  actor: { label: 'Person', hint: 'Name or id' },
  id: { label: 'Record', hint: 'Id' },
  token: { label: 'Token', hint: 'Id' },
  address: { label: 'Address', hint: '203.0.113.7' },
  request: { label: 'Request', hint: 'Request id' },
  day: { label: 'Day', hint: '' }
} as const
type By = keyof typeof BY
const isBy = (text: string): text is By => Object.hasOwn(BY, text)

/** Another part of the filter. Nothing is asked before it is sent: each search is an entry of the log. */
export function NarrowForm() {
  const [by, setBy] = useState<By>('actor')
  const [text, setText] = useState('')
  const id = useId()
  const narrow = (event: Event) => {
    event.preventDefault()
    const value = text.trim()
    if (value === '') return
    go(linkWith(by === 'day' ? { ...dayRange(value), open: null } : { [by]: value, open: null }))
    setText('')
  }
  const choose = (chosen: string) => {
    if (!isBy(chosen)) return
    setBy(chosen)
    setText('')
  }
  return (
    <form class={`${css.form} flex fit gap-3`} role="search" aria-label="Narrow the search" onSubmit={narrow}>
      <label class="visually-hidden" for={`${id}-by`}>
        Narrow by
      </label>
      <select id={`${id}-by`} class="fit" value={by} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {Object.entries(BY).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <label class="visually-hidden" for={`${id}-text`}>
        {BY[by].label}
      </label>
      <input
        id={`${id}-text`}
        {...(by === 'day' ? { type: 'date' as const } : { type: 'text' as const, placeholder: BY[by].hint })}
        spellcheck={false}
        autoComplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit">Filter</Button>
    </form>
  )
}

/** The ranges that are chosen most. */
export function Ranges({ filter }: { readonly filter: AuditFilter }) {
  const isAlways = filter.from === undefined && filter.to === undefined
  const choices = RANGES.map(({ label, days }) => {
    const from = sinceDays(days, now.value)
    const isChosen = filter.from === from && filter.to === undefined
    return { label, isChosen, href: linkWith({ from, to: null, open: null }) }
  })
  const always = { label: 'Always', isChosen: isAlways, href: linkWith({ from: null, to: null, open: null }) }
  return <Tabs label="When" tabs={[...choices, always]} />
}

/** The parts of the filter; each is a link that takes it away. */
export function Chips({ chips }: { readonly chips: readonly Chip[] }) {
  if (chips.length === 0) return null
  const without = (terms: readonly string[]) =>
    linkWith({ ...Object.fromEntries(terms.map((term) => [term, null])), open: null })
  return (
    <ul class="row wrap gap-3" aria-label="Filters">
      {chips.map(({ terms, label, name }) => (
        <li key={terms.join()}>
          <a class={`${css.chip} row plain small gap-3`} href={without(terms)}>
            <span class="visually-hidden">Take away: </span>
            <span>
              {label} {name !== undefined && <Name class="strong" of={name} />}
            </span>
            <Icon name="close" size={14} />
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a class={`${css.all} stack small`} href={without(TERMS)}>
            Take all away
          </a>
        </li>
      )}
    </ul>
  )
}
