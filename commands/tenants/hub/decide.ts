import { type Deciders, requireAdmin } from '../../context.js'
import { type AvatarChanges, avatarIn, changedAvatar } from '../../people/avatar/avatar.js'
import { emitHub, HUB_ID } from './events.js'
import { hubsTable } from './table.js'

export type HubCommand = {
  readonly type: 'ChangeHubAvatar'
  readonly id: typeof HUB_ID
  readonly changes: AvatarChanges
}

/** Decides what stands for the hub. */
export const hubDeciders: Deciders<HubCommand> = {
  async ChangeHubAvatar({ changes }, { caller, read, now }) {
    requireAdmin(caller)
    const before = avatarIn((await read.get(hubsTable, HUB_ID)) ?? { avatar: null })
    const after = changedAvatar(before, changes, now)
    return after ? [emitHub(HUB_ID, 'HubAvatarChanged', after)] : []
  }
}
