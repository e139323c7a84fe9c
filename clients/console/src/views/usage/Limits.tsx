import { useState } from 'preact/hooks'
import { linkTo } from '../../app/route.js'
import { count } from '../../model/numbers.js'
import type { Limit } from '../../model/usage.js'
import { Button } from '../../ui/Button.js'
import { Section } from '../../ui/Section.js'
import css from './Limits.module.css'

/** So many are shown before somebody asks for all. */
const FIRST = 6
const STATES = { over: 'used up', near: 'nearly used up', free: '' } as const

/** Who may use how many tokens in the month, and how much of it they have used; the nearest to the end first. */
export function Limits({ limits }: { readonly limits: readonly Limit[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? limits : limits.slice(0, FIRST)
  return (
    <Section title="Limits">
      <ul class={css.limits}>
        {shown.map(({ id, name, used, limit, share, state }) => (
          <li key={id} class={`${css.limit} ${css[state]}`}>
            <a href={linkTo(['people', id])}>
              <bdi>{name}</bdi>
            </a>
            <span class={css.bar} aria-hidden="true">
              <span style={{ width: `${Math.min(100, Math.round(share * 100))}%` }} />
            </span>
            <span class={css.words}>
              {count(used)} of {count(limit)} tokens
              {STATES[state] && <strong>{STATES[state]}</strong>}
            </span>
          </li>
        ))}
      </ul>
      {shown.length < limits.length && (
        <div>
          <Button kind="quiet" onClick={() => setWhole(true)}>
            Show all {count(limits.length)}
          </Button>
        </div>
      )}
    </Section>
  )
}
