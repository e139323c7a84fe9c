import { useMemo } from 'preact/hooks'
import { knownOf } from '../../app/loaded.js'
import { route } from '../../app/route.js'
import { chipsOf } from '../../model/auditChips.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import type { Facets } from '../../model/auditFacets.js'
import { filterKey, filterOf } from '../../model/auditFilter.js'
import { DialogButton, Page, Show } from '../../ui/kit.js'
import css from './audit.module.css'
import { Entries } from './Entries.js'
import { ExportDialog } from './ExportDialog.js'
import { FacetPanel, useFacets } from './Facets.js'
import { Chips, NarrowForm, Ranges } from './Narrow.js'
import { SavedFilters } from './SavedFilters.js'
import { useEntries, useFresh } from './useEntries.js'

/** The log: who did what, when and from where, narrowed by whatever the address says. */
export function Audit() {
  const { query } = route.value
  const filter = filterOf(query)
  const key = filterKey(filter)
  const search = useEntries(filter)
  const found = knownOf(search.found)
  const entries = found?.entries ?? []
  const newest = entries[0]?.position ?? 0
  const counts = useFacets(filter, found ? newest : null)
  const { fresh, forget } = useFresh(filter, newest)
  const known = knownOf(counts)
  const facets = known?.facets
  const names = useMemo(() => namesIn(entries, facets), [entries, facets])
  const refresh = () => {
    forget()
    void search.found.reload()
    document.getElementById('content')?.scrollTo({ top: 0 })
  }
  const exporting = (close: () => void) => (
    <ExportDialog {...{ filter, newest, close }} facets={known?.key === key ? known.facets : undefined} />
  )
  return (
    <Page
      title="Audit"
      lead="Who did what, when and from where. Looking here is an entry of its own."
      actions={
        <DialogButton icon="export" disabled={newest === 0} dialog={exporting}>
          Export
        </DialogButton>
      }
    >
      <div class="flex wrap gap-wide">
        <Ranges filter={filter} />
        <NarrowForm />
      </div>
      <Chips chips={chipsOf(filter, (id) => names.get(id))} />
      <div class={`${css.both} stack`}>
        <aside class="fit" aria-label="Narrow the search by what it finds">
          <SavedFilters filter={filter} />
          {search.found.state.value.is !== 'failed' && <FacetPanel counts={counts} filter={filter} />}
        </aside>
        <div class="fit">
          <Show of={search.found}>
            {(found) => <Entries key={key} found={found} search={search} fresh={fresh} refresh={refresh} />}
          </Show>
        </div>
      </div>
    </Page>
  )
}

/** What people, tokens and records are called in these entries; people also where none of theirs is there. */
function namesIn(entries: readonly AuditEntry[], facets: Facets | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { actor, token, resource } of entries)
    for (const one of [resource, token, actor]) if (one?.name && !names.has(one.id)) names.set(one.id, one.name)
  for (const { id, name } of facets?.actors ?? []) if (name !== null) names.set(id, name)
  return names
}
