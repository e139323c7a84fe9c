import { z } from 'zod'
import { lockables } from '../../records/kinds.js'
import { ACCESS_LISTS, type AccessList, type Grant, grant } from '../user/events.js'

/** What the grants of an account are kept in: the JSON of all, or null for none. */
interface Granted {
  readonly grants: string | null
}

const grants = z.array(grant)
// A row never changes, so what was parsed from it is good for as long as the row is around.
const parsed = new WeakMap<Granted, readonly Grant[]>()

/** The grants of the account in this row. */
export function grantsOf(row: Granted): readonly Grant[] {
  if (row.grants === null) return []
  const known = parsed.get(row) ?? grants.parse(JSON.parse(row.grants))
  parsed.set(row, known)
  return known
}

/** The access list that would hold a record of this kind; undefined for what does not stand on its own. */
export function listFor(kind: string): AccessList | undefined {
  return lockables.find((one) => one.kind === kind)?.access
}

type Lists = { readonly [K in AccessList]: readonly string[] }

/**
 * What an account reaches by its lists and its grants together: lists of what it may see, and of that what it may only look at. What a
 * list holds it may change, whatever is granted beside; of several roles on one record the highest counts.
 */
export function reachOf(lists: Lists, all: readonly Grant[]): Partial<Lists> & { readonly viewed: readonly string[] } {
  const further = all.filter(({ kind, id }) => {
    const list = listFor(kind)
    return list !== undefined && !lists[list].includes('*') && !lists[list].includes(id)
  })
  if (further.length === 0) return { viewed: [] }
  const idsIn = (list: AccessList) => further.filter(({ kind }) => listFor(kind) === list).map(({ id }) => id)
  const reach = Object.fromEntries(ACCESS_LISTS.map((list) => [list, [...new Set([...lists[list], ...idsIn(list)])]]))
  const changed = new Set(further.filter(({ role }) => role !== 'viewer').map(({ id }) => id))
  return { ...reach, viewed: further.map(({ id }) => id).filter((id) => !changed.has(id)) }
}
