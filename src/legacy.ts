import { LegacySource, type TableReport } from '../migrations/legacy/source.js'
import { markerOf, takeOver } from '../migrations/legacy/takeover.js'
import { listUsers } from '../queries/users.js'
import type { DbConfig, HubConfig } from './config/types.js'
import { openReadyLedger, type ReadyLedgerOptions } from './hub.js'
import { systemAgent } from './ledger.js'
import { openPlain } from './storage/plain/open.js'

export interface TakeoverReport {
  readonly tables: readonly TableReport[]
  /** Tables whose records have no home here yet. */
  readonly homeless: readonly string[]
}

/**
 * Takes over the plain tables that an older hub left in `from`, once; they are left as they are. Null where there are none or
 * they are taken over already. With `dryRun` nothing is written, and the report says what would be taken. The ledger that takes
 * them is opened with `options`.
 */
export async function takeOverLegacy(
  config: HubConfig,
  from: DbConfig,
  { tenant, dryRun }: { readonly tenant?: string | undefined; readonly dryRun: boolean },
  options: ReadyLedgerOptions = {}
): Promise<TakeoverReport | null> {
  const plain = await openPlain(from)
  try {
    const source = plain && (await LegacySource.open(plain, tenant))
    if (!source) return null
    const now = new Date().toISOString()
    if (dryRun) await takeOver(source, async () => undefined, new Map(), now)
    else {
      const ledger = await openReadyLedger(config, options)
      try {
        if ((await ledger.storage.readStream(markerOf(source.tenant), 0, 1)).length > 0) return null
        const names = new Map((await listUsers(ledger.view)).map(({ id, name }) => [name, id]))
        await takeOver(source, (command) => ledger.run(command, systemAgent), names, now)
      } finally {
        await ledger.close()
      }
    }
    return { tables: [...source.reports.values()], homeless: source.homeless() }
  } finally {
    await plain?.close()
  }
}
