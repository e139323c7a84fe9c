import { useState } from 'preact/hooks'
import { linkWith } from '../../app/route.js'
import { atLeast, type FacetGroup, type Facets, type FacetValue, groupsOf } from '../../model/auditFacets.js'
import type { AuditFilter } from '../../model/auditFilter.js'
import { count, counted } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Icon } from '../../ui/Icon.js'
import css from './FacetList.module.css'

/** So many values of a sort are shown before somebody asks for all. */
const FIRST = 7

/** What the search finds, counted by what it can be narrowed to. */
export function FacetList({ facets, filter }: { readonly facets: Facets; readonly filter: AuditFilter }) {
  const { counted: all, isWhole } = facets
  return (
    <>
      <p class={css.all}>
        {isWhole ? counted(all, 'entry', 'entries') : `More than ${counted(all, 'entry', 'entries')}`}
      </p>
      {groupsOf(facets, filter)
        .filter(({ values }) => values.length > 0)
        .map((group) => (
          <Group key={group.title} group={group} isWhole={isWhole} />
        ))}
    </>
  )
}

function Group({ group: { title, values, more }, isWhole }: { readonly group: FacetGroup; readonly isWhole: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? values : values.slice(0, FIRST)
  const most = Math.max(...values.map((one) => one.count))
  return (
    <section class={css.group}>
      <h2>{title}</h2>
      <ul>
        {shown.map((value) => (
          <li key={value.key}>
            <Value value={value} most={most} isWhole={isWhole} />
          </li>
        ))}
      </ul>
      {shown.length < values.length && (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          Show all {count(values.length)}
        </Button>
      )}
      {isOpen && more > 0 && <p class={css.more}>{count(more)} more are not listed.</p>}
    </section>
  )
}

interface ValueProps {
  readonly value: FacetValue
  readonly most: number
  readonly isWhole: boolean
}

function Value({ value: { label, isName, count: found, change, isChosen }, most, isWhole }: ValueProps) {
  return (
    <a class={css.value} href={linkWith({ ...change, open: null })} aria-current={isChosen ? 'true' : undefined}>
      <span class={css.bar} style={{ width: `${Math.round((found / most) * 100)}%` }} aria-hidden="true" />
      {isName ? <bdi class={css.label}>{label}</bdi> : <span class={css.label}>{label}</span>}
      <span class={css.count} title={isWhole ? undefined : atLeast(found, isWhole)}>
        <span class="visually-hidden">, {atLeast(found, isWhole)}</span>
        <span aria-hidden="true">
          {count(found)}
          {!isWhole && '+'}
        </span>
      </span>
      {isChosen && <Icon name="close" size={14} />}
    </a>
  )
}
