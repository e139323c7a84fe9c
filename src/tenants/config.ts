import { dirname, join } from 'node:path'
import { isThere, NotReady } from '../app/databases.js'
import { OWN_DATABASE } from '../config/tenants.js'
import type { DbConfig, HubConfig, ImageStorageConfig } from '../config/types.js'

/** Connections that read at once in a database that tenants share. */
const READERS_MAX = 2

/** A tenant as the log of the hub has it: what people call it, where its own log is, and once it is made an id that is its alone. */
export interface TenantAt {
  readonly id?: string
  readonly tenant: string
  readonly database: string | null
  readonly place: string
}

/** Where the log of a tenant may be: the names of databases that a configuration has for it, beside null for that of the hub. */
export function databasesFor({ multitenancy, tenants }: HubConfig, tenant: string): readonly string[] {
  const names = Object.keys(multitenancy.databases)
  return tenants[tenant]?.db ? [OWN_DATABASE, ...names] : names
}

/**
 * The configuration of one tenant: that of the hub, with a database of its own and whatever else the tenant has of its own.
 * Throws `NotReady` where the configuration does not have the database that the tenant is in.
 */
export function configOfTenant(hub: HubConfig, at: TenantAt): HubConfig {
  const { hosts: _, db: __, publicUrl, llm, audit, ...own } = hub.tenants[at.tenant] ?? { hosts: [] }
  const { llm: shared, ...others } = hub
  const models = llm === undefined ? shared : (llm ?? undefined)
  return {
    ...others,
    ...(models && { llm: models }),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    db: databaseOf(hub, at),
    storage: imagesOf(hub, at),
    server: publicUrl === undefined ? hub.server : { ...hub.server, publicUrl },
    audit: { ...hub.audit, ...auditOf(hub, at), ...audit },
    multitenancy: { ...hub.multitenancy, enabled: false },
    tenants: {}
  }
}

/** The same of a tenant that is there to be looked at: a file that is missing is told by `NotReady`, and not made. */
export function configOfPresent(hub: HubConfig, at: TenantAt): HubConfig {
  const config = configOfTenant(hub, at)
  const { db } = config
  if (db.driver === 'sqlite' && !isThere(db)) throw new NotReady(`Its database is not there: ${db.path}`)
  return config
}

/** Whoever looks for images that nobody shows finds those of this tenant alone, and at this place. */
function imagesOf({ storage: { driver, place: bucket } }: HubConfig, { place }: TenantAt): ImageStorageConfig {
  return { driver, ...(bucket && { place: { ...bucket, prefix: `${bucket.prefix}-tenants/${place}` } }) }
}

/**
 * Checkpoints of another log go to another file: those of a tenant that is called like one which was deleted too. Witnesses know of
 * one log alone.
 */
function auditOf({ audit: { checkpointFile: file } }: HubConfig, { id, tenant }: TenantAt) {
  const isKept = file !== undefined && id !== undefined
  return { checkpointFile: isKept ? `${file}.${tenant}-${id}` : undefined, witness: undefined }
}

/** The database that is the tenant's alone is as the configuration names it; in any other the tenant has a part. */
function databaseOf(hub: HubConfig, { tenant, database, place }: TenantAt): DbConfig {
  if (database === OWN_DATABASE) return required(hub.tenants[tenant]?.db, `tenants.${tenant}.db`, tenant)
  const db =
    database === null
      ? hub.db
      : required(hub.multitenancy.databases[database], `multitenancy.databases.${database}`, tenant)
  // A file for each: writers wait for nobody but those of their own tenant.
  if (db.driver === 'sqlite') return { ...db, path: join(dirname(db.path), 'tenants', `${tenant}-${place}.sqlite`) }
  // Many are open at once, and each is asked less than a whole hub.
  const few = 'poolSize' in db ? { poolSize: Math.min(db.poolSize, READERS_MAX) } : {}
  return { ...db, ...few, prefix: `${db.prefix}${place}_` }
}

function required(db: DbConfig | undefined, key: string, tenant: string): DbConfig {
  if (db) return db
  throw new NotReady(`The tenant "${tenant}" is in a database that the configuration lacks: ${key}.`)
}
