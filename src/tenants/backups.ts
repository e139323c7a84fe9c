import { existsSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codec } from '../../commands/index.js'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import { tenantEvents } from '../../commands/tenants/tenant/events.js'
import type { HubConfig } from '../config/types.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Keyring } from '../log/chain.js'
import type { StoredEvent } from '../log/event.js'
import type { Moment } from '../log/logQuery.js'
import { keysAtHand, readKeyring } from '../trust/audit/sealKey.js'
import { backUp } from '../trust/backup/follow.js'
import { BackupError } from '../trust/backup/format.js'
import { readBackup } from '../trust/backup/restore.js'
import { verifyBackup } from '../trust/backup/verify.js'
import { configOfTenant, type TenantAt } from './config.js'
import { restoreTenant } from './transfer.js'

/** What became of one tenant: how far its log went, or why there is nothing of it. */
export type TenantOutcome = { readonly tenant: string; readonly file: string } & (
  | { readonly position: number; readonly chain: string }
  | { readonly failed: string }
)

/** Where the backup of a tenant is beside that of its hub. Ids may differ by case alone, which not every disk tells apart. */
export function fileOfTenant(hubFile: string, { tenant, place }: Pick<TenantAt, 'tenant' | 'place'>): string {
  return join(folderOf(hubFile), `${tenant}-${place}.backup`)
}

const folderOf = (hubFile: string): string => `${hubFile}.tenants`

/** How tenants are backed up: beside which file, and with what their ledgers are opened. */
export interface TenantsBackup {
  readonly file: string
  readonly force: boolean
  readonly signal: AbortSignal
  readonly withLedger: <T>(work: (ledger: Ledger) => Promise<T>, config: HubConfig) => Promise<T>
}

/** Backs each tenant up, beside the file of the hub. What fails for one is in its outcome; others are backed up all the same. */
export function backUpTenants(
  hub: HubConfig,
  rows: readonly TenantRow[],
  { file: hubFile, force, signal, withLedger }: TenantsBackup
): Promise<readonly TenantOutcome[]> {
  return eachOf(rows, hubFile, async (row, file) => {
    const config = configOfTenant(hub, row)
    const keys = readKeyring(config.audit)
    const { end } = await withLedger(
      (ledger) => backUp(ledger, { file, force, signal, keys, now: ledger.now() }),
      config
    )
    return end
  })
}

/** Takes away what was backed up of tenants by now, where that of the hub did not come to be: without it the set is none. */
export async function removeBackups(hubFile: string, outcomes: readonly TenantOutcome[]): Promise<void> {
  for (const one of outcomes) if (!('failed' in one)) await rm(one.file, { force: true })
  // Where somebody has put something else into the folder it stays.
  await rmdir(folderOf(hubFile)).catch(() => {})
}

/** Restores each tenant from beside the file of its hub, to where the configuration has it. What fails for one is in its outcome. */
export function restoreTenants(
  hub: HubConfig,
  rows: readonly TenantRow[],
  hubFile: string,
  until: Moment | undefined,
  notice: (text: string) => void
): Promise<readonly TenantOutcome[]> {
  return eachOf(rows, hubFile, async (row, file) => {
    if (!existsSync(file)) throw new BackupError('There is no backup of it here.')
    const config = configOfTenant(hub, row)
    return restoreTenant(config, await readBackup([file], keysAtHand(config.audit), until), notice)
  })
}

/** Which tenants a hub has at the end of its log, told by the events of it, in their order. */
export class TenantsInLog {
  readonly #rows = new Map<string, TenantAt>()

  see({ stream, type, schema, payload: { text } }: StoredEvent): void {
    if (!stream.startsWith('tenant-') || (text === null && type !== 'TenantDeleted')) return
    if (type === 'TenantDeleted') this.#rows.delete(stream)
    const data = type === 'TenantCreated' || type === 'TenantMoved' ? codec.decode(type, schema, text ?? '') : null
    if (type === 'TenantCreated') this.#rows.set(stream, tenantEvents.TenantCreated.data.parse(data))
    const before = this.#rows.get(stream)
    if (type === 'TenantMoved' && before)
      this.#rows.set(stream, { ...before, ...tenantEvents.TenantMoved.data.parse(data) })
  }

  get all(): readonly TenantAt[] {
    return [...this.#rows.values()]
  }
}

/** Verifies the backup of each tenant beside the file of its hub. What fails for one is in its outcome. */
export function verifyTenants(
  tenants: readonly TenantAt[],
  hubFile: string,
  keys: Keyring
): Promise<readonly TenantOutcome[]> {
  return eachOf(tenants, hubFile, async (_, file) => {
    if (!existsSync(file)) throw new BackupError('There is no backup of it here.')
    return (await verifyBackup([file], { keys })).end
  })
}

async function eachOf<At extends TenantAt>(
  rows: readonly At[],
  hubFile: string,
  work: (row: At, file: string) => Promise<{ readonly position: number; readonly chain: string }>
): Promise<readonly TenantOutcome[]> {
  const outcomes: TenantOutcome[] = []
  for (const row of rows) {
    const at = { tenant: row.tenant, file: fileOfTenant(hubFile, row) }
    try {
      const { position, chain } = await work(row, at.file)
      outcomes.push({ ...at, position, chain })
    } catch (error) {
      outcomes.push({ ...at, failed: error instanceof Error ? error.message : String(error) })
    }
  }
  return outcomes
}
