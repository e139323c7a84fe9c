import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, failureOf, isAbort } from '../../app/hub.js'
import { useChanges } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { ask, identity } from '../../app/session.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import { type AuditFilter, filterKey, finds } from '../../model/auditFilter.js'

const PAGE = 100
/** So many entries are held at once: whoever wants more narrows the search, or exports what it finds. */
export const SHOWN_MAX = 5000

/** What a search has found so far, the newest first. */
export interface Found {
  readonly entries: readonly AuditEntry[]
  /** What the next page begins with; null where there is none. */
  readonly next: number | null
}

/** One page of what a filter finds, from a cursor on. Each is an entry of the log itself. */
export function pageOf(filter: AuditFilter, cursor: number | null, limit: number, signal: AbortSignal) {
  const query = { ...filter, limit, ...(cursor !== null && { cursor }) }
  return ask('GET', '/admin/audit', { query, signal })
}

/** How the search for what is behind the last entry stands. */
interface Further {
  readonly isAsking: boolean
  readonly failure?: Failure
}

/** What a filter finds: the first page at once, and with `more` the next one. */
export function useEntries(filter: AuditFilter) {
  const found = useLoadable<Found>((signal) => pageOf(filter, null, PAGE, signal), [filterKey(filter)])
  const [further, setFurther] = useState<Further>({ isAsking: false })
  const asking = useRef<AbortController>(null)
  const known = knownOf(found)
  const next = known && known.entries.length < SHOWN_MAX ? known.next : null
  useEffect(() => {
    setFurther({ isAsking: false })
    return () => {
      asking.current?.abort()
      asking.current = null
    }
  }, [found])

  const more = async () => {
    if (next === null || asking.current) return
    const mine = new AbortController()
    asking.current = mine
    setFurther({ isAsking: true })
    try {
      const page = await pageOf(filter, next, PAGE, mine.signal)
      if (mine.signal.aborted) return
      // Whoever has asked for all of it anew has other entries by now.
      found.change((was) => (was.next === next ? { entries: [...was.entries, ...page.entries], next: page.next } : was))
      setFurther({ isAsking: false })
    } catch (error) {
      if (!isAbort(error)) setFurther({ isAsking: false, failure: failureOf(error) })
    } finally {
      if (asking.current === mine) asking.current = null
    }
  }
  return { found, further, more: () => void more() }
}

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
