import type { z } from 'zod'
import { membersTable } from '../../commands/people/group/table.js'
import { membership } from '../../commands/people/user/events.js'
import { usersTable } from '../../commands/people/user/table.js'
import { outlinedColumns, wholeRows } from '../readmodel/manyRows.js'
import type { PagedReads } from '../storage/storage.js'

const how = membership.omit({ id: true })

/** Who is in a group and by what, by name. Read in parts: others have their turn in between, however many they are. */
export async function membersOf(read: PagedReads, groupId: string) {
  const members = new Map<string, z.infer<typeof how>>()
  const rows = (await read.outline(membersTable, 'byGroup', [groupId])).map(({ id }) => id)
  for await (const { userId, body } of wholeRows(read, membersTable, rows))
    members.set(userId, how.parse(JSON.parse(body)))
  const ids = [...members.keys()].map((id) => ({ id }))
  const people = await outlinedColumns(read, usersTable, ids)
  return people
    .toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
    .flatMap(({ id, name }) => {
      const by = members.get(id)
      return by ? [{ userId: id, name, ...by }] : []
    })
}
