import { table } from '../../table.js'

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
