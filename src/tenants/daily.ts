import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import { NotReady } from '../app/databases.js'
import type { Hub } from '../app/hub.js'
import { HubError } from '../errors.js'
import type { Tenants } from './tenants.js'

/** So often, and so far apart, a tenant is asked for that is not ready, or for which there is no room. */
const ATTEMPTS = 12
const AGAIN_MS = 5000

/** Where it is written down, beside the log of the hub, on which day a tenant was last looked after. */
export const dayKey = ({ id }: Pick<TenantRow, 'id'>): string => `tenant-day-${id}`

/**
 * Works with every tenant, one after another, each opened for it. Where all that may be open are in use it waits a while. `failed` is
 * told what goes wrong with one; then it goes on with the next.
 */
export async function eachTenant(
  tenants: Tenants,
  work: (hub: Hub, row: TenantRow) => Promise<void>,
  failed: (error: unknown, row: TenantRow) => void,
  ended: AbortSignal,
  again_ms = AGAIN_MS
): Promise<void> {
  for (const row of await tenants.all()) {
    if (ended.aborted) return
    try {
      const entered = await enteredSoon(tenants, row, ended, again_ms)
      // It may have been deleted meanwhile.
      if (entered) await work(entered.hub, row).finally(entered.leave)
    } catch (error) {
      failed(error, row)
    }
  }
}

async function enteredSoon(tenants: Tenants, { tenant }: TenantRow, ended: AbortSignal, again_ms: number) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tenants.enter(tenant)
    } catch (error) {
      const isBusy = error instanceof HubError && error.status === 503
      // Until somebody has put it right, it cannot be opened.
      const isBroken = isBusy && error.cause instanceof NotReady
      if (!isBusy || isBroken || attempt === ATTEMPTS || ended.aborted) throw error
      await sleep(again_ms, undefined, { signal: ended, ref: false }).catch(() => {})
    }
  }
}

/**
 * Looks after a tenant once a day: of several processes the first that asks does the work, and where that fails whoever asks next. The
 * day is as in `2026-01-31`.
 */
export async function onceADay(
  { ledger }: Pick<Hub, 'ledger'>,
  row: Pick<TenantRow, 'id'>,
  day: string,
  work: () => Promise<void>
): Promise<void> {
  const { state } = ledger.storage
  const key = dayKey(row)
  const last = await state.get(key)
  const mark = last?.text === day ? null : await state.put(key, day, last?.mark ?? null)
  if (mark === null) return
  try {
    await work()
  } catch (error) {
    await state.put(key, '', mark).catch(() => {})
    throw error
  }
}
