import { hubsTable } from '../../projections/hubs.js'
import type { NewEvent } from '../../src/log/event.js'
import { type AvatarChanges, avatarIn, changedAvatar } from '../avatar/avatar.js'
import { type Context, requireAdmin } from '../context.js'
import { emitHub, HUB_ID } from './events.js'

export type HubCommand = {
  readonly type: 'ChangeHubAvatar'
  readonly id: typeof HUB_ID
  readonly changes: AvatarChanges
}

/** Decides what stands for the hub. */
export async function decideHub(command: HubCommand, context: Context): Promise<readonly NewEvent[]> {
  requireAdmin(context.caller)
  const before = avatarIn((await context.read.get(hubsTable, HUB_ID)) ?? { avatar: null })
  const after = changedAvatar(before, command.changes, context.now)
  return after ? [emitHub(HUB_ID, 'HubAvatarChanged', after)] : []
}
