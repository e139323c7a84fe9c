/** A row of a collection: requests and documents stand in one order in each container, folders in one of their own. */
interface MemberRow {
  readonly kind: string
  readonly row: object
}

interface Columns {
  readonly id: string
  readonly container: string
  readonly sortOrder: number
  readonly sortKey: string
}

const columns = (row: object): Columns => row as Columns
const isFolder = (kind: string) => kind.startsWith('folder')
const rank = (kind: string) => (kind.startsWith('document') ? 1 : 0)

/** How many of these rows stand before a row in its container, told in the plainest way. Kinds go by singular or plural. */
export function placeAmong(rows: readonly MemberRow[], kind: string, row: object): number {
  const own = columns(row)
  return rows.filter((one) => {
    const other = columns(one.row)
    if (isFolder(one.kind) !== isFolder(kind) || other.container !== own.container) return false
    if (other.sortOrder !== own.sortOrder) return other.sortOrder < own.sortOrder
    if (rank(one.kind) !== rank(kind)) return rank(one.kind) < rank(kind)
    return other.sortKey === own.sortKey ? other.id < own.id : other.sortKey < own.sortKey
  }).length
}
