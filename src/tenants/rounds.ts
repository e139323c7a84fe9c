import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantRow } from '../../commands/tenant/decide.js'
import { HubError } from '../errors.js'
import type { Hub } from '../hub.js'
import type { Tenants } from './tenants.js'

const AGAIN_MS = 5000

/** Where it is written down, beside the log of the hub, on which day a tenant was last looked after. */
export const dayKey = ({ id }: Pick<TenantRow, 'id'>): string => `tenant-day-${id}`

/**
 * Works with every tenant, one after another, each opened for it. Where all that may be open are in use it waits. `failed` is told
 * what goes wrong with one; then it goes on with the next.
 */
export async function eachTenant(
  tenants: Tenants,
  work: (hub: Hub, row: TenantRow) => Promise<void>,
  failed: (error: unknown, row: TenantRow) => void,
  ended: AbortSignal
): Promise<void> {
  for (const row of await tenants.all()) {
    let isDone = false
    while (!isDone && !ended.aborted) {
      try {
        const entered = await tenants.enter(row.tenant)
        // It may have been deleted meanwhile.
        if (entered) await work(entered.hub, row).finally(entered.leave)
        isDone = true
      } catch (error) {
        isDone = !(error instanceof HubError && error.status === 503)
        if (isDone) failed(error, row)
        else await sleep(AGAIN_MS, undefined, { signal: ended, ref: false }).catch(() => {})
      }
    }
  }
}

/**
 * True for the first who asks for a tenant on a day: of several processes one looks after it. The day is as in `2026-01-31`.
 */
export async function claimDay({ ledger }: Pick<Hub, 'ledger'>, row: TenantRow, day: string): Promise<boolean> {
  const { state } = ledger.storage
  const last = await state.get(dayKey(row))
  return last?.text !== day && (await state.put(dayKey(row), day, last?.mark ?? null)) !== null
}
