import { avatarColumns } from '../commands/people/avatar/avatar.js'
import type { HubEvent } from '../commands/tenants/hub/events.js'
import { projector, put, table } from './define.js'

/** What administrators have decided about the hub itself: one row, as soon as there is something. */
export const hubsTable = table({
  name: 'hubs',
  columns: { avatar: 'text?', image: 'id?', updatedAt: 'time' },
  indexes: { byImage: { by: ['image'], order: [] } },
  scope: 'id'
})

export const hubs = projector<HubEvent>(hubsTable, 1, {
  HubAvatarChanged: (e) => [put(hubsTable, e, { ...avatarColumns(e.data), updatedAt: e.at }, {})]
})
