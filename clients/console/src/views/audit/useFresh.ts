import { useEffect, useState } from 'preact/hooks'
import { useChanges } from '../../app/live.js'
import { identity } from '../../app/session.js'
import { type AuditFilter, filterKey, finds } from '../../model/auditFilter.js'

/** How much has happened behind what is shown. */
export interface Fresh {
  /** Entries that the search would find. */
  readonly sure: number
  /** Entries of which the feed does not tell whether it would. */
  readonly perhaps: number
}

const NONE: Fresh = { sure: 0, perhaps: 0 }

/** Counts what happens behind the position of the newest entry that is shown; `forget` begins anew. One's own searches do not count. */
export function useFresh(filter: AuditFilter, newest: number) {
  const [fresh, setFresh] = useState(NONE)
  const key = filterKey(filter)
  useEffect(() => setFresh(NONE), [key, newest])
  useChanges(
    (change) => {
      if (change.position <= newest || (change.type === 'AuditRead' && change.actorId === identity().user.id)) return
      const isFound = finds(filter, change)
      if (isFound === 'no') return
      setFresh(({ sure, perhaps }) =>
        isFound === 'yes' ? { sure: sure + 1, perhaps } : { sure, perhaps: perhaps + 1 }
      )
    },
    [key, newest]
  )
  return { fresh, forget: () => setFresh(NONE) }
}
