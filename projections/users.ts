import { externalKey, nameKey, sortKey } from '../commands/keys.js'
import { type Avatar, avatarColumns } from '../commands/people/avatar/avatar.js'
import type { Account, DirectoryDetails, UserEvent } from '../commands/people/user/events.js'
import { usersTable } from '../commands/people/user/table.js'
import type { ImportEvent } from '../commands/takeover/events.js'
import { patch, projector, put, remove } from './define.js'

const columns = ({ name, role }: Account) => ({ name, nameKey: nameKey(name), role, sortKey: sortKey(name) })
const noAvatar = { avatar: null, image: null }
const access = { grants: null, groups: null, isService: false, disabledAt: null, disabledBy: null }
const plain = { ...access, directory: null, externalKey: '' }
const imageColumns = (avatar: Avatar | null) => (avatar ? avatarColumns(avatar) : noAvatar)
const times = ({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }) => ({ createdAt, updatedAt })
const body = (id: string, { name, role, ...access }: Account) => ({ id, name, role, ...access })

const told = (details: DirectoryDetails) => ({
  directory: JSON.stringify(details),
  ...(details.externalId !== null && { externalKey: externalKey(details.externalId) })
})
const jsonOf = (list: readonly unknown[]) => (list.length > 0 ? JSON.stringify(list) : null)

export const users = projector<UserEvent | ImportEvent>(usersTable, 8, {
  UserImported: (e) => [
    put(
      usersTable,
      e,
      { ...imageColumns(e.data.avatar), ...plain, ...columns(e.data.account), ...times(e.data.origin) },
      body(e.subject, e.data.account)
    )
  ],
  UserCreated: (e) => [
    put(
      usersTable,
      e,
      { ...noAvatar, ...plain, createdAt: e.at, updatedAt: e.at, ...columns(e.data) },
      body(e.subject, e.data)
    )
  ],
  UserUpdated: (e) => [patch(usersTable, e, { updatedAt: e.at, ...columns(e.data) }, body(e.subject, e.data))],
  UserMarkedAsService: (e) => [patch(usersTable, e, { isService: true })],
  AvatarChanged: (e) => [patch(usersTable, e, { updatedAt: e.at, ...avatarColumns(e.data) })],
  GrantsChanged: (e) => [patch(usersTable, e, { updatedAt: e.at, grants: jsonOf(e.data.grants) })],
  MembershipsChanged: (e) => [patch(usersTable, e, { updatedAt: e.at, groups: jsonOf(e.data.groups) })],
  UserProvisioned: (e) => [patch(usersTable, e, { updatedAt: e.at, ...told(e.data) })],
  UserDisabled: (e) => [patch(usersTable, e, { updatedAt: e.at, disabledAt: e.at, disabledBy: e.data.by })],
  UserEnabled: (e) => [patch(usersTable, e, { updatedAt: e.at, disabledAt: null, disabledBy: null })],
  UserDeleted: (e) => [remove(usersTable, e.subject)]
})
