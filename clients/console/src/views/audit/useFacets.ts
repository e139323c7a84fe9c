import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Loadable, loadable } from '../../app/loaded.js'
import { hub } from '../../app/session.js'
import type { Facets } from '../../model/auditFacets.js'
import { type AuditFilter, filterKey } from '../../model/auditFilter.js'

/** What a search finds, counted; `key` is that of the filter it was counted for. */
export interface CountedFor {
  readonly key: string
  readonly facets: Facets
}

/**
 * Counts what a filter finds, once its entries are there: right behind the search it is no entry of the log of its own. `newest` is
 * the entry that begins them. What was counted before stays until the new counts are there.
 */
export function useFacets(filter: AuditFilter, newest: number | null): Loadable<CountedFor> {
  const key = filterKey(filter)
  const asked = useRef({ key, filter })
  asked.current = { key, filter }
  const counts = useMemo(
    () =>
      loadable<CountedFor>(async (signal) => {
        const { key, filter } = asked.current
        const { body } = await hub().request('GET', '/admin/audit/facets', { query: filter, signal })
        return { key, facets: body }
      }),
    []
  )
  useEffect(() => {
    if (newest !== null) void counts.reload()
  }, [counts, key, newest])
  useEffect(() => counts.stop, [counts])
  return counts
}
