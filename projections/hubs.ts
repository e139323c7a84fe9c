import { avatarColumns } from '../commands/people/avatar/avatar.js'
import type { HubEvent } from '../commands/tenants/hub/events.js'
import { hubsTable } from '../commands/tenants/hub/table.js'
import { projector, put } from './define.js'

export const hubs = projector<HubEvent>(hubsTable, 1, {
  HubAvatarChanged: (e) => [put(hubsTable, e, { ...avatarColumns(e.data), updatedAt: e.at }, {})]
})
