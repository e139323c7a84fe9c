import { randomUUID } from 'node:crypto'
import { noAccess } from '../../commands/people/user/events.js'
import type { Migration } from '../../migrations/index.js'
import { migrate } from '../../migrations/migrate.js'
import { listUsers } from '../../queries/users.js'
import type { HubConfig } from '../config/types.js'
import { HubError } from '../errors.js'
import { type Ledger, systemOrigin } from '../ledger/ledger.js'
import { issueToken, type TokenLifetime } from '../ledger/secrets.js'
import { isThere, openStorage, requireKnownSchema } from './databases.js'

/**
 * Brings the database of a configuration up to this version and returns the migrations it applied. The log stays empty
 * where it was, so that another hub's can still be imported. Throws `NotReady` when a newer version has set the database up;
 * `notice` is told what is waited for.
 */
export async function migrateDatabase(
  config: HubConfig,
  notice?: (text: string) => void
): Promise<readonly Migration[]> {
  const storage = await openStorage(config.db, notice)
  try {
    await requireKnownSchema(storage)
    return await migrate(storage)
  } finally {
    await storage.close()
  }
}

/** True where a hub was set up in the database of a configuration, by whichever version. */
export async function isSetUp({ db }: Pick<HubConfig, 'db'>): Promise<boolean> {
  if (!isThere(db)) return false
  const storage = await openStorage(db)
  try {
    return (await storage.schema.applied()).length > 0
  } finally {
    await storage.close()
  }
}

/** Makes the system account where there is none. */
export async function ensureSystemAccount(ledger: Ledger): Promise<void> {
  await ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
}

/** The administrator of a first start. The secret of its token is nowhere else. */
export interface FirstAdmin {
  readonly name: string
  readonly secret: string
}

/** Makes an administrator named `admin` where there is no account but the system's; null where there is one. */
export async function ensureFirstAdmin(ledger: Ledger, lifetime: TokenLifetime): Promise<FirstAdmin | null> {
  if ((await listUsers(ledger.readModel)).length > 0) return null
  const name = 'admin'
  const account = { name, role: 'admin' as const, ...noAccess }
  const { secret, token } = issueToken(lifetime, ledger.now())
  try {
    await ledger.run({ type: 'CreateUser', id: randomUUID(), account, token }, systemOrigin)
  } catch (error) {
    // Another hub that was started at the same time has made it, and has shown its secret.
    if (error instanceof HubError && (await listUsers(ledger.readModel)).length > 0) return null
    throw error
  }
  return { name, secret }
}
