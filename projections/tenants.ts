import type { TenantEvent } from '../commands/tenants/tenant/events.js'
import { patch, projector, put, remove, table } from './define.js'

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

export const tenants = projector<TenantEvent>(tenantsTable, 1, {
  TenantCreated: (e) => {
    const { tenant, name, database, place } = e.data
    return [put(tenantsTable, e, { tenant, name, database, place, createdAt: e.at, updatedAt: e.at }, {})]
  },
  TenantRenamed: (e) => [patch(tenantsTable, e, { name: e.data.name, updatedAt: e.at })],
  TenantMoved: (e) => [patch(tenantsTable, e, { database: e.data.database, place: e.data.place, updatedAt: e.at })],
  TenantDeleted: (e) => [remove(tenantsTable, e.subject)]
})
