import { z } from 'zod'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import type { HubConfig } from '../config/types.js'
import type { StateStore } from '../storage/storage.js'
import type { TenantAt } from './config.js'
import { removeData } from './setup.js'

const place = z.object({ database: z.string().nullable(), place: z.string() })
const places = z.array(place)
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
  for (const at of places.parse(JSON.parse(noted.text)))
    if (at.place !== row.place) await removeAt(config, { tenant: row.tenant, ...at })
  await state.delete(keyOf(row))
}

const MAKING = 'tenant-making-'
const MAKING_MAX = 100
const making = place.extend({ tenant: z.string() })

/** Notes beside the log of the hub that a log is made for a tenant: if the process is killed, nobody else names it. */
export async function noteMaking(state: StateStore, { tenant, database, place }: TenantAt): Promise<void> {
  await state.put(MAKING + place, JSON.stringify({ tenant, database, place }), null)
}

/**
 * Takes away the logs that were made for tenants which are not there, while nobody makes one. `tenants` are those that there are, as
 * known behind a commit: none that was on its way before can still come.
 */
export async function removeUnmade(state: StateStore, config: HubConfig, tenants: readonly TenantAt[]): Promise<void> {
  const made = new Set(tenants.map((one) => one.place))
  for (const { key, text } of await state.list(MAKING, '', MAKING_MAX)) {
    const at = making.parse(JSON.parse(text))
    try {
      if (!made.has(at.place)) await removeAt(config, at)
      await state.delete(key)
    } catch {
      // Its database does not answer: it goes with the next one.
    }
  }
}

async function removeAt(config: HubConfig, at: TenantAt): Promise<void> {
  if (at.database === null || Object.hasOwn(config.multitenancy.databases, at.database)) await removeData(config, at)
}
