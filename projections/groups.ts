import type { GroupEvent } from '../commands/people/group/events.js'
import type { UserEvent } from '../commands/people/user/events.js'
import { patch, projector, put, putOther, remove, removeWhere, table } from './define.js'
import { nameKey, sortKey } from './keys.js'

/** Groups. The body is the group as its last event has it, with its id. */
export const groupsTable = table({
  name: 'groups',
  columns: { nameKey: 'name', sortKey: 'name', createdAt: 'time', updatedAt: 'time' },
  indexes: {
    byNameKey: { by: ['nameKey'], order: [] },
    byName: { by: [], order: ['sortKey'] }
  },
  scope: 'id'
})

const named = ({ name }: { readonly name: string }) => ({ nameKey: nameKey(name), sortKey: sortKey(name) })

export const groups = projector<GroupEvent>(groupsTable, 1, {
  GroupCreated: (e) => [
    put(groupsTable, e, { createdAt: e.at, updatedAt: e.at, ...named(e.data) }, { id: e.subject, ...e.data })
  ],
  GroupUpdated: (e) => [patch(groupsTable, e, { updatedAt: e.at, ...named(e.data) }, { id: e.subject, ...e.data })],
  GroupDeleted: (e) => [remove(groupsTable, e.subject)]
})

/**
 * Who is in which group, by what. A row goes by the event that made it and its place there; an account has all of its groups in its
 * own row too, where each request looks.
 */
export const membersTable = table({
  name: 'members',
  columns: { groupId: 'id', userId: 'id' },
  indexes: { byGroup: { by: ['groupId'], order: [] }, byUser: { by: ['userId'], order: [] } },
  scope: 'groupId'
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
