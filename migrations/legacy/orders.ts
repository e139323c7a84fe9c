import { GAP } from '../../commands/records/order.js'

/** What decides where a record stood among its siblings in an older hub. */
export interface OrderedRecord {
  readonly id: string
  readonly container: string
  readonly sortOrder: number
  readonly rank: number
  readonly name: string
}

/**
 * New orders in which everything stands as it stood: by order, then rank (requests before documents), name and id.
 * Duplicate orders occurred there; here each order in a container is its own.
 */
export function renumbered(records: readonly OrderedRecord[]): ReadonlyMap<string, number> {
  const containers = new Map<string, OrderedRecord[]>()
  for (const record of records) {
    const siblings = containers.get(record.container) ?? []
    siblings.push(record)
    containers.set(record.container, siblings)
  }
  const orders = new Map<string, number>()
  for (const siblings of containers.values()) {
    siblings.sort(
      (a, b) => a.sortOrder - b.sortOrder || a.rank - b.rank || compare(a.name, b.name) || compare(a.id, b.id)
    )
    for (const [i, { id }] of siblings.entries()) orders.set(id, (i + 1) * GAP)
  }
  return orders
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
