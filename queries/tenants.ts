import type { TenantRow } from '../commands/tenants/tenant/decide.js'
import { tenantsTable } from '../commands/tenants/tenant/table.js'
import type { ReadModel } from '../src/readmodel/readModel.js'
import type { ReadStore } from '../src/storage/storage.js'

const ROW_BYTES = 600

/** All tenants of a hub, by name. */
export function listTenants(read: ReadStore): Promise<readonly TenantRow[]> {
  return read.list(tenantsTable, 'byName', [])
}

/** The tenant that people name so; null where there is none. */
export async function findTenant(read: Pick<ReadStore, 'list'>, tenant: string): Promise<TenantRow | null> {
  return (await read.list(tenantsTable, 'byTenant', [tenant]))[0] ?? null
}

/** The same from what is cached. What is not found is not kept: guesses must not fill the cache. */
export function cachedTenant(readModel: ReadModel, tenant: string): Promise<TenantRow | null> {
  return readModel.cached(
    `tenant/${tenant}`,
    [{ table: tenantsTable, scope: tenant }],
    (row) => (row ? ROW_BYTES : Number.POSITIVE_INFINITY),
    () => findTenant(readModel, tenant)
  )
}
