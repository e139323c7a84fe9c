/**
 * Sparse orders: neighbours are a gap apart, so that moving one item between two others writes that item alone.
 * When two neighbours have no integer left between them, the whole container is spaced anew.
 */
export const GAP = 1024

/** A reorder takes in so many from elsewhere with an event of each; of more than these its own event tells. */
export const MOVES_MAX = 200

export interface Ordered {
  readonly id: string
  readonly sortOrder: number
}

/** The order of an item put behind all others, whose highest is `last`, null for none: never above what a number can hold exactly. */
export function orderAfter(last: number | null): number {
  return last === null ? GAP : Math.min(last + GAP, Number.MAX_SAFE_INTEGER)
}

/** The order of an item between two others, null where there is none on that side; null where there is no room. */
export function orderBetween(before: number | null, next: number | null): number | null {
  const low = before ?? 0
  const own = next === null ? orderAfter(before) : Math.floor((low + next) / 2)
  return low < own && own < (next ?? Number.POSITIVE_INFINITY) ? own : null
}

/**
 * Where an item goes to stand at `index` among its siblings (which do not include it, and come in order): its own order,
 * and the siblings that must be spaced anew to make room, if any. An index past the end appends.
 */
export function orderAt(siblings: readonly Ordered[], index: number): { own: number; respaced: readonly Ordered[] } {
  const at = Math.min(index, siblings.length)
  const own = orderBetween(siblings[at - 1]?.sortOrder ?? null, siblings[at]?.sortOrder ?? null)
  if (own !== null) return { own, respaced: [] }
  const place = (i: number) => (i + 1) * GAP
  const respaced = siblings.map(({ id }, i) => ({ id, sortOrder: place(i < at ? i : i + 1) }))
  return { own: place(at), respaced: changes(respaced, siblings) }
}

/**
 * Orders that make `sequence` the order of these items, reusing the orders they hold where all are distinct.
 * Returns only the items whose order changes. `held` may lack items that come from elsewhere: those always change.
 */
export function orderAll(sequence: readonly string[], held: readonly Ordered[]): readonly Ordered[] {
  const orders = held.map(({ sortOrder }) => sortOrder).sort((a, b) => a - b)
  const reusable = orders.length === sequence.length && new Set(orders).size === orders.length
  const wanted = sequence.map((id, i) => ({ id, sortOrder: reusable ? (orders[i] ?? 0) : (i + 1) * GAP }))
  return changes(wanted, held)
}

function changes(wanted: readonly Ordered[], held: readonly Ordered[]): readonly Ordered[] {
  const now = new Map(held.map(({ id, sortOrder }) => [id, sortOrder]))
  return wanted.filter(({ id, sortOrder }) => now.get(id) !== sortOrder)
}
