import { table } from '../../table.js'

/** What administrators have decided about the hub itself: one row, as soon as there is something. */
export const hubsTable = table({
  name: 'hubs',
  columns: { avatar: 'text?', image: 'id?', updatedAt: 'time' },
  indexes: { byImage: { by: ['image'], order: [] } },
  scope: 'id'
})
