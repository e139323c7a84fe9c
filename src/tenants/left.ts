import { z } from 'zod'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import type { HubConfig } from '../config/types.js'
import type { StateStore } from '../storage/storage.js'
import type { TenantAt } from './config.js'
import { removeData } from './setup.js'

const places = z.array(z.object({ database: z.string().nullable(), place: z.string() }))
const keyOf = ({ id }: Pick<TenantRow, 'id'>): string => `tenant-move-${id}`

const noteOf = (row: TenantRow, to: TenantAt): string =>
  JSON.stringify([row, to].map(({ database, place }) => ({ database, place })))

/** Notes beside the log of the hub that a tenant is on its way: if the process is killed, there may be a log of it at both places. */
export async function noteMove(state: StateStore, row: TenantRow, to: TenantAt): Promise<void> {
  const before = await state.get(keyOf(row))
  await state.put(keyOf(row), noteOf(row, to), before?.mark ?? null)
}

/** Forgets a move that is done, unless the next one is under way. */
export async function forgetMove(state: StateStore, row: TenantRow, to: TenantAt): Promise<void> {
  const noted = await state.get(keyOf(row))
  if (noted?.text === noteOf(row, to)) await state.delete(keyOf(row))
}

/**
 * Takes away what a move that was killed has left where the tenant is not, which nobody else moves meanwhile. What is in a database of
 * its own, or in one that the configuration has no more, stays.
 */
export async function removeLeft(state: StateStore, config: HubConfig, row: TenantRow): Promise<void> {
  const noted = await state.get(keyOf(row))
  if (!noted) return
  const { multitenancy } = config
  for (const at of places.parse(JSON.parse(noted.text))) {
    const isKnown = at.database === null || Object.hasOwn(multitenancy.databases, at.database)
    if (isKnown && at.place !== row.place) await removeData(config, { tenant: row.tenant, ...at })
  }
  await state.delete(keyOf(row))
}
