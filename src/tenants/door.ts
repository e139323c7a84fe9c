import { invitationsTable } from '../../commands/people/invitation/table.js'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import { tokenByHash } from '../../queries/callers.js'
import { openStorageToRead } from '../app/databases.js'
import type { Hub } from '../app/hub.js'
import { Lease } from '../app/lease.js'
import { OWN_DATABASE } from '../config/tenants.js'
import type { DbConfig } from '../config/types.js'
import { errors } from '../errors.js'
import { releaseOf } from '../ledger/release.js'
import { LIMITS } from '../limits.js'
import { type ReadStore, type Storage, StorageUnavailable } from '../storage/storage.js'
import { configOfTenant } from './config.js'

/** A secret that a request shows to be let in to a tenant, by its sha256. */
export interface Shown {
  readonly kind: 'token' | 'invitation'
  readonly hash: string
}

/** The hub itself, whose log says which tenants there are; its connections stay open until `leave` is called. */
export interface HubItself {
  enter(): { readonly hub: Hub; readonly leave: () => void }
}

/** So long what was opened to be asked stays so for the next who asks. */
const KEPT_MS = 10_000
/** Questions have time limits of their own, and end long before. */
const RETIRE_LIMIT_MS = 180_000

type Asked = Pick<Storage, 'head' | 'rows'>

interface OpenStorage {
  readonly opening: Promise<Lease<Storage>>
  readonly used_ms: number
}

/**
 * Where tenants that are not open are asked whether they know what a request shows: few at a time, by one small question. Whoever is
 * turned away holds nothing.
 */
export class Door {
  readonly #waiting: (() => void)[] = []
  readonly #kept = new Map<string, OpenStorage>()
  #asking = 0

  /**
   * True where the tenant knows what is shown, or was last written by another release: then it has to be opened to be asked. False
   * where there is no tenant, which takes its turn like one that there is. Refuses with 503 where too many wait; rejects where the
   * tenant's database does not answer, or is not in the configuration.
   */
  knows(at: TenantRow | null, itself: HubItself, shown: Shown): Promise<boolean> {
    return this.#inTurn(async () => {
      if (at === null) return false
      // Only now: whoever waits may do so while it is configured anew.
      const { hub, leave } = itself.enter()
      return this.#reading(at, hub, (storage) => isKnownAt(storage, shown)).finally(leave)
    })
  }

  /** Closes what nobody has asked for so long. */
  closeUnused(after_ms = KEPT_MS): void {
    const now = performance.now()
    for (const [place, { used_ms }] of this.#kept) if (now - used_ms >= after_ms) this.#close(place)
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#asking >= LIMITS.tenantsAsked.max) {
      if (this.#waiting.length >= LIMITS.tenantsAsking.max) throw errors.tooManyTenantsOpen()
      // The place of whoever leaves passes to the first that waits.
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#asking++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#asking--
    }
  }

  /** Reads a tenant over the connections of the hub where its tables are beside the hub's; else over some that are kept for a while. */
  async #reading<T>(at: TenantRow, { config, ledger }: Hub, work: (storage: Asked) => Promise<T>): Promise<T> {
    const { db } = configOfTenant(config, at)
    const isShared = (db.driver === 'postgres' || db.driver === 'mysql') && at.database !== OWN_DATABASE
    const of = (storage: Storage) => (isShared && storage.beside?.(db.prefix)) || storage
    if (isShared && at.database === null) return work(of(ledger.storage))
    const lease = await this.#keep(isShared ? `database ${at.database}` : at.place, db)
    lease.enter()
    try {
      return await work(of(lease.value))
    } finally {
      lease.leave()
    }
  }

  #keep(place: string, db: DbConfig): Promise<Lease<Storage>> {
    const opening = this.#kept.get(place)?.opening ?? openStorageToRead(db).then((storage) => new Lease(storage))
    // The one that was used last is the last in line.
    this.#kept.delete(place)
    this.#kept.set(place, { opening, used_ms: performance.now() })
    opening.catch(() => {
      // Another one may have been begun at the same place meanwhile.
      if (this.#kept.get(place)?.opening === opening) this.#kept.delete(place)
    })
    const [first] = this.#kept.keys()
    if (this.#kept.size > LIMITS.tenantsAskedKept.max && first !== undefined) this.#close(first)
    return opening
  }

  #close(place: string): void {
    const kept = this.#kept.get(place)
    this.#kept.delete(place)
    kept?.opening.then((lease) => lease.retire(RETIRE_LIMIT_MS, () => {})).catch(() => {})
  }
}

/** True where this log knows what a request shows: a token that was not taken back, or an invitation. */
export async function isKnownIn(read: Pick<ReadStore, 'list'>, { kind, hash }: Shown): Promise<boolean> {
  if (kind === 'invitation') return (await read.list(invitationsTable, 'byHash', [hash], { limit: 1 })).length > 0
  return (await tokenByHash(read, hash))?.revokedAt === null
}

async function isKnownAt(storage: Asked, shown: Shown): Promise<boolean> {
  try {
    const head = await storage.head()
    return releaseOf(head) !== 'current' || (await isKnownIn(storage.rows(head.generation), shown))
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error
    // The tables are not there: whoever opens it learns why.
    return true
  }
}
