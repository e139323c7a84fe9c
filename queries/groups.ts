import { membership } from '../commands/people/user/events.js'
import { groupsTable, membersTable } from '../projections/groups.js'
import { type JsonText, splice } from '../projections/record.js'
import { usersTable } from '../projections/users.js'
import type { ReadStore, Row } from '../src/storage/storage.js'
import type { Rows } from './listing.js'

export type GroupRow = Row<typeof groupsTable.columns>

/** A group as administrators see it. */
export function groupRecord({ body, createdAt, updatedAt }: GroupRow): JsonText {
  return splice(body, { createdAt, updatedAt })
}

/** Every group, by name. */
export const allGroups: Rows = { table: groupsTable, index: 'byName', under: [] }

const how = membership.omit({ id: true })

/** Who is in a group and by what, by name. */
export async function membersOf(read: Pick<ReadStore, 'list' | 'getAll'>, groupId: string) {
  const rows = await read.list(membersTable, 'byGroup', [groupId])
  const people = await read.getAll(
    usersTable,
    rows.map(({ userId }) => userId),
    { body: false }
  )
  const named = new Map(people.map((row) => [row.id, row]))
  return rows
    .flatMap(({ userId, body }) => {
      const user = named.get(userId)
      return user ? [{ user, by: how.parse(JSON.parse(body)) }] : []
    })
    .toSorted((a, b) => (a.user.sortKey < b.user.sortKey ? -1 : 1))
    .map(({ user, by }) => ({ userId: user.id, name: user.name, ...by }))
}
