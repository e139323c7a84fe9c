import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { Row } from '../../../src/storage/storage.js'
import { type Deciders, requireAdmin } from '../../context.js'
import { administered } from '../../records/kind.js'
import { HUB_ID } from '../hub/events.js'
import { emitTenant } from './events.js'
import { tenantsTable } from './table.js'

/** Where the log of a tenant is: see `TenantCreated`. */
export interface TenantPlace {
  readonly database: string | null
  readonly place: string
}

/** `id` is that of the record; what people name a tenant by is `tenant`. */
export type TenantCommand =
  | ({
      readonly type: 'CreateTenant'
      readonly id: string
      readonly tenant: string
      readonly name: string
    } & TenantPlace)
  | { readonly type: 'RenameTenant'; readonly id: string; readonly name: string }
  | ({ readonly type: 'MoveTenant'; readonly id: string; readonly from: string } & TenantPlace)
  /** `from` is where its data was taken away; wherever it is, without that. */
  | { readonly type: 'DeleteTenant'; readonly id: string; readonly from?: string }

export type TenantRow = Row<typeof tenantsTable.columns>

/** Decides on the tenants of a hub, in the log of the hub itself. What is in a tenant, its own log decides. */
export const tenantDeciders: Deciders<TenantCommand> = {
  async CreateTenant({ id, tenant, name, database, place }, { caller, read }) {
    requireAdmin(caller)
    const others = await read.list(tenantsTable, 'byTenant', [tenant], { body: false })
    if (tenant === HUB_ID || others.length > 0) throw errors.tenantExists(tenant)
    const { max } = LIMITS.tenants
    if ((await read.count(tenantsTable, 'byName', [])) >= max) throw errors.tooManyTenants(max)
    return [emitTenant(id, 'TenantCreated', { tenant, name, database, place })]
  },
  async RenameTenant({ id, name }, context) {
    const row = await administered(tenants, { id }, context)
    return row.name === name ? [] : [emitTenant(id, 'TenantRenamed', { name })]
  },
  async MoveTenant({ id, from, database, place }, context) {
    const row = await administered(tenants, { id }, context)
    // It was moved by somebody else meanwhile: what was written there since would be lost.
    if (row.place !== from) throw errors.tenantElsewhere()
    return [emitTenant(id, 'TenantMoved', { database, place })]
  },
  async DeleteTenant({ id, from }, context) {
    const row = await administered(tenants, { id }, context)
    if (from !== undefined && row.place !== from) throw errors.tenantElsewhere()
    return [emitTenant(id, 'TenantDeleted', {})]
  }
}

const tenants = { title: 'Tenant', table: tenantsTable }
