import type { Account, UserEvent } from '../commands/user/events.js'
import { patch, projector, put, remove, table } from './define.js'
import { sortKey } from './sortKey.js'

/** Accounts. The body is the account's record without its times. */
export const usersTable = table({
  name: 'users',
  columns: { name: 'name', role: 'id', sortKey: 'name', createdAt: 'time', updatedAt: 'time' },
  indexes: {
    byUniqueName: { by: ['name'], order: [], unique: true },
    byName: { by: [], order: ['sortKey'] }
  },
  scope: 'id'
})

const body = (id: string, { name, role, ...access }: Account) => ({ id, name, role, ...access })

export const users = projector<UserEvent>(usersTable, 1, {
  UserCreated: (e) => [
    put(
      usersTable,
      e,
      { name: e.data.name, role: e.data.role, sortKey: sortKey(e.data.name), createdAt: e.at, updatedAt: e.at },
      body(e.subject, e.data)
    )
  ],
  UserUpdated: (e) => [
    patch(
      usersTable,
      e,
      { name: e.data.name, role: e.data.role, sortKey: sortKey(e.data.name), updatedAt: e.at },
      body(e.subject, e.data)
    )
  ],
  UserDeleted: (e) => [remove(usersTable, e.subject)]
})
