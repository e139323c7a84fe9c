import { tenantsTable } from '../../projections/tenants.js'
import { errors } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { type Context, requireAdmin } from '../context.js'
import { HUB_ID } from '../hub/events.js'
import { emitTenant } from './events.js'

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
  | ({ readonly type: 'MoveTenant'; readonly id: string } & TenantPlace)
  | { readonly type: 'DeleteTenant'; readonly id: string }

export type TenantRow = Row<typeof tenantsTable.columns>

/** Decides on the tenants of a hub, in the log of the hub itself. What is in a tenant, its own log decides. */
export async function decideTenant(command: TenantCommand, context: Context): Promise<readonly NewEvent[]> {
  const { caller, read } = context
  requireAdmin(caller)
  if (command.type === 'CreateTenant') return created(command, read)
  const row = await read.get(tenantsTable, command.id)
  if (!row) throw errors.notFound('Tenant')
  switch (command.type) {
    case 'RenameTenant':
      return row.name === command.name ? [] : [emitTenant(row.id, 'TenantRenamed', { name: command.name })]
    case 'MoveTenant': {
      const { database, place } = command
      return [emitTenant(row.id, 'TenantMoved', { database, place })]
    }
    case 'DeleteTenant':
      return [emitTenant(row.id, 'TenantDeleted', {})]
  }
}

async function created(
  { id, tenant, name, database, place }: Extract<TenantCommand, { type: 'CreateTenant' }>,
  read: ReadStore
): Promise<readonly NewEvent[]> {
  const others = await read.list(tenantsTable, 'byTenant', [tenant], { body: false })
  if (tenant === HUB_ID || others.length > 0) throw errors.tenantExists(tenant)
  const { max } = LIMITS.tenants
  if ((await read.count(tenantsTable, 'byName', [])) >= max) throw errors.tooManyTenants(max)
  return [emitTenant(id, 'TenantCreated', { tenant, name, database, place })]
}
