import type { TenantEvent } from '../commands/tenants/tenant/events.js'
import { tenantsTable } from '../commands/tenants/tenant/table.js'
import { patch, projector, put, remove } from './define.js'

export const tenants = projector<TenantEvent>(tenantsTable, 1, {
  TenantCreated: (e) => {
    const { tenant, name, database, place } = e.data
    return [put(tenantsTable, e, { tenant, name, database, place, createdAt: e.at, updatedAt: e.at }, {})]
  },
  TenantRenamed: (e) => [patch(tenantsTable, e, { name: e.data.name, updatedAt: e.at })],
  TenantMoved: (e) => [patch(tenantsTable, e, { database: e.data.database, place: e.data.place, updatedAt: e.at })],
  TenantDeleted: (e) => [remove(tenantsTable, e.subject)]
})
