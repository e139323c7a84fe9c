import { nameKey, sortKey } from '../commands/keys.js'
import type { GroupEvent } from '../commands/people/group/events.js'
import { groupsTable, membersTable } from '../commands/people/group/table.js'
import type { UserEvent } from '../commands/people/user/events.js'
import { patch, projector, put, putOther, remove, removeWhere } from './define.js'

const named = ({ name }: { readonly name: string }) => ({ nameKey: nameKey(name), sortKey: sortKey(name) })

export const groups = projector<GroupEvent>(groupsTable, 1, {
  GroupCreated: (e) => [
    put(groupsTable, e, { createdAt: e.at, updatedAt: e.at, ...named(e.data) }, { id: e.subject, ...e.data })
  ],
  GroupUpdated: (e) => [patch(groupsTable, e, { updatedAt: e.at, ...named(e.data) }, { id: e.subject, ...e.data })],
  GroupDeleted: (e) => [remove(groupsTable, e.subject)]
})

export const members = projector<GroupEvent | UserEvent>(membersTable, 2, {
  MembershipsChanged: (e) => [
    removeWhere(membersTable, 'userId', e.subject),
    ...e.data.groups.map(({ id, by, rule }, i) =>
      putOther(membersTable, e, `${e.position}-${i}`, { groupId: id, userId: e.subject }, { by, rule })
    )
  ],
  GroupDeleted: (e) => [removeWhere(membersTable, 'groupId', e.subject)],
  UserDeleted: (e) => [removeWhere(membersTable, 'userId', e.subject)]
})
