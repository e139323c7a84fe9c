import { useState } from 'preact/hooks'
import type { Loadable } from '../../app/loaded.js'
import { type AuditFilter, filterKey } from '../../model/auditFilter.js'
import { Button } from '../../ui/Button.js'
import { Show } from '../../ui/Show.js'
import { FacetList } from './FacetList.js'
import css from './FacetPanel.module.css'
import type { CountedFor } from './useFacets.js'

interface FacetPanelProps {
  readonly counts: Loadable<CountedFor>
  readonly filter: AuditFilter
}

/** What the search can be narrowed to, beside the list; where there is no room beside it, above it when asked for. */
export function FacetPanel({ counts, filter }: FacetPanelProps) {
  const [isShown, setShown] = useState(false)
  const key = filterKey(filter)
  return (
    <aside class={css.panel} aria-label="Narrow the search by what it finds">
      <div class={css.opener}>
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the counts' : 'Counts by kind, type, person and day'}
        </Button>
      </div>
      <div class={`${css.facets} ${isShown ? css.shown : ''}`}>
        <Show of={counts}>
          {(counted) => (
            <div class={`${css.groups} ${counted.key === key ? '' : css.old}`}>
              <FacetList facets={counted.facets} filter={filter} />
            </div>
          )}
        </Show>
      </div>
    </aside>
  )
}
