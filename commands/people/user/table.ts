import { table } from '../../table.js'

/**
 * Accounts. The body is the account's record without its times. That names are told apart by `nameKey` is decided where an
 * account is made or renamed: older logs hold names that share one. `avatar` is the JSON of what was chosen of it,
 * `grants`, `groups` and `directory` that of the last of their events. `externalKey` is that of the last external id that a directory
 * has said, also where it says none any more; empty where it never has.
 */
export const usersTable = table({
  name: 'users',
  columns: {
    name: 'name',
    nameKey: 'name',
    role: 'id',
    sortKey: 'name',
    createdAt: 'time',
    updatedAt: 'time',
    avatar: 'text?',
    image: 'id?',
    grants: 'text?',
    groups: 'text?',
    isService: 'flag',
    disabledAt: 'time?',
    disabledBy: 'id?',
    directory: 'text?',
    externalKey: 'name'
  },
  indexes: {
    byNameKey: { by: ['nameKey'], order: [] },
    byExternalKey: { by: ['externalKey'], order: [] },
    byName: { by: [], order: ['sortKey'] },
    byImage: { by: ['image'], order: [] }
  },
  scope: 'id'
})
