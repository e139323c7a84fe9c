import { table } from '../../table.js'

/** The tenants of a hub, in the log of the hub itself: how each is named, and where its own log is. */
export const tenantsTable = table({
  name: 'tenants',
  columns: { tenant: 'id', name: 'name', database: 'id?', place: 'id', createdAt: 'time', updatedAt: 'time' },
  indexes: {
    byTenant: { by: ['tenant'], order: [], unique: true },
    byName: { by: [], order: ['name'] }
  },
  scope: 'tenant'
})
