import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Loadable, loadable } from '../../app/loaded.js'
import { linkWith } from '../../app/route.js'
import { ask } from '../../app/session.js'
import { atLeast, type Facets, type FacetValue, foundWords, groupsOf } from '../../model/auditFacets.js'
import { type AuditFilter, filterKey } from '../../model/auditFilter.js'
import { count } from '../../model/numbers.js'
import { Button, Icon, Name, Show } from '../../ui/kit.js'
import css from './audit.module.css'

interface FacetPanelProps {
  readonly counts: Loadable<CountedFor>
  readonly filter: AuditFilter
}

/** What the search can be narrowed to, beside the list; where there is no room beside it, above it when asked for. */
export function FacetPanel({ counts, filter }: FacetPanelProps) {
  const [isShown, setShown] = useState(false)
  const key = filterKey(filter)
  return (
    <>
      <div class={css.opener}>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the counts' : 'Show the counts'}
        </Button>
      </div>
      <div class={`${css.facets} scroll ${isShown ? css.shown : ''}`}>
        <Show of={counts}>
          {(counted) => (
            <div class={`stack gap-8 ${counted.key === key ? '' : css.old}`}>
              <p class="strong">This search finds {foundWords(counted.facets)}.</p>
              {groupsOf(counted.facets, filter)
                .filter(({ values }) => values.length > 0)
                .map((group) => (
                  <Group key={group.title} group={group} isWhole={counted.facets.isWhole} />
                ))}
            </div>
          )}
        </Show>
      </div>
    </>
  )
}

/** So many values of a sort are shown before somebody asks for all. */
const FACETS_FIRST = 7

interface GroupProps {
  readonly group: ReturnType<typeof groupsOf>[number]
  readonly isWhole: boolean
}

function Group({ group: { title, values, more }, isWhole }: GroupProps) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? values : values.slice(0, FACETS_FIRST)
  const most = Math.max(...values.map((one) => one.count))
  return (
    <section class={`${css.group} stack gap-2`}>
      <h2 class="hint">{title}</h2>
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
      {isOpen && more > 0 && <p class={`${css.more} hint`}>{count(more)} more are not listed.</p>}
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
    <a
      class={`${css.value} pick row within clip small gap-4`}
      href={linkWith({ ...change, open: null })}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class={css.bar} style={{ width: `${Math.round((found / most) * 100)}%` }} aria-hidden="true" />
      {isName ? <Name class="within cut fit grow" of={label} /> : <span class="within cut fit grow">{label}</span>}
      <span class="within soft" title={isWhole ? undefined : atLeast(found, isWhole)}>
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

/** What a search finds, counted; `key` is that of the filter it was counted for. */
interface CountedFor {
  readonly key: string
  readonly facets: Facets
}

/**
 * Counts what a filter finds, once its entries are there: right behind the search it is no entry of the log of its own. `newest` is
 * the entry that begins them: what has happened since is not counted, as it is not in an export. What was counted before stays until the new counts are there.
 */
export function useFacets(filter: AuditFilter, newest: number | null): Loadable<CountedFor> {
  const key = filterKey(filter)
  const asked = useRef({ key, filter, newest })
  asked.current = { key, filter, newest }
  const counts = useMemo(
    () =>
      loadable<CountedFor>(async (signal) => {
        const { key, filter, newest } = asked.current
        const query = { ...filter, ...(newest && { cursor: newest + 1 }) }
        return { key, facets: await ask('GET', '/admin/audit/facets', { query, signal }) }
      }),
    []
  )
  useEffect(() => {
    if (newest !== null) void counts.reload()
  }, [counts, key, newest])
  useEffect(() => counts.stop, [counts])
  return counts
}
