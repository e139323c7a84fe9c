import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import { cachedTenant, listTenants } from '../../queries/tenants.js'
import { NotReady } from '../app/databases.js'
import type { Hub } from '../app/hub.js'
import { errors, HubError } from '../errors.js'
import { configOfTenant } from './config.js'
import { Door, type HubItself, type Shown } from './door.js'
import { OpenTenant, type TenantHost } from './open.js'
import { bringForward } from './setup.js'

const LOOK_EVERY_MS = 1000
/** So long a request waits for its tenant to be opened. */
const OPEN_LIMIT_MS = 5000
const RETIRE_LIMIT_MS = 180_000
const MINUTE_MS = 60_000

interface Entry {
  readonly row: TenantRow
  readonly opening: Promise<OpenTenant>
  /** Null until it is open. */
  open: OpenTenant | null
}

/** One request's time with a tenant. */
export interface TenantLease {
  readonly hub: Hub
  readonly retired: AbortSignal
  readonly leave: () => void
  /** Keeps the log open beyond `leave`, until what it returns is called. */
  readonly hold: () => () => void
  /** False once the tenant is elsewhere or gone: what it had here is taken away then. */
  readonly isThere: () => Promise<boolean>
}

/**
 * The tenants of a hub, each a log of its own, which are opened when somebody asks for them and closed when nobody has for a while.
 * Where each is, the log of the hub says, and is asked each time: what was moved or deleted is not found where it was.
 */
export class Tenants {
  readonly #itself: HubItself
  readonly #host: TenantHost
  readonly #entries = new Map<string, Entry>()
  readonly #retiring = new Set<Promise<unknown>>()
  readonly #door = new Door()
  readonly #timer: NodeJS.Timeout
  #isLooking = false

  constructor(itself: HubItself, host: TenantHost, lookEvery_ms = LOOK_EVERY_MS) {
    this.#itself = itself
    this.#host = host
    this.#timer = setInterval(() => void this.#look(), lookEvery_ms).unref()
  }

  /** How many are open. */
  get count(): number {
    return this.#entries.size
  }

  /**
   * The tenant that people name so, for one request; null where there is none, or it does not know what the request shows: then
   * nothing was opened for it, and nothing counts as used. Throws 503 where it is not ready in time, or too many others are in use.
   */
  enter(tenant: string, shown?: Shown): Promise<TenantLease | null> {
    return this.#asking(async (hub) => {
      const row = await cachedTenant(hub.ledger.readModel, tenant)
      if (shown && !(await this.#knows(row, shown))) return null
      if (!row) return null
      const { open, leave } = await this.#withTenantErrors(row, () => this.#held(row))
      const isThere = () => this.isThere(row)
      return { hub: named(open.hub, row), retired: open.retired, leave, hold: () => open.hold(), isThere }
    })
  }

  /** Does work with the log of the hub, as new as it is now. */
  async #asking<T>(work: (hub: Hub) => Promise<T>): Promise<T> {
    const { hub, leave } = this.#itself.enter()
    try {
      await hub.ledger.readModel.current()
      return await work(hub)
    } finally {
      leave()
    }
  }

  /** Where there is no tenant, it takes its turn like one that there is. */
  async #knows(row: TenantRow | null, shown: Shown): Promise<boolean> {
    const open = row && this.#openAt(row)
    if (open && (await open.knows(shown).catch(() => false))) return true
    const asked = () => this.#door.knows(row, this.#itself, shown)
    return row ? this.#withTenantErrors(row, asked) : asked()
  }

  #openAt(row: TenantRow): OpenTenant | null {
    const entry = this.#entries.get(row.tenant)
    return entry && isSamePlace(entry.row, row) ? entry.open : null
  }

  async #held(row: TenantRow) {
    for (;;) {
      const open = await this.#opened(row)
      if (!open.retired.aborted) return { open, leave: open.hold() }
    }
  }

  /** Under the configuration that the hub has now: it may be another one than when the request came. */
  async #opened(row: TenantRow): Promise<OpenTenant> {
    const { hub, leave } = this.#itself.enter()
    try {
      return await inTime(this.#entry(row, hub).opening)
    } finally {
      leave()
    }
  }

  /** Work at the place of a tenant, whose failures are told as whoever asked for it is to know them. */
  async #withTenantErrors<T>(row: TenantRow, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof HubError) throw error
      if (!(await this.isThere(row))) throw errors.tenantElsewhere()
      if (!(error instanceof NotReady)) throw error
      this.#host.log.error({ err: error, tenant: row.tenant }, 'a tenant cannot be opened')
      throw Object.assign(errors.unavailable(), { cause: error })
    }
  }

  /** True while a tenant is where a row of it says. */
  isThere(row: TenantRow): Promise<boolean> {
    return this.#asking(async ({ ledger }) => {
      const now = await cachedTenant(ledger.readModel, row.tenant)
      return now !== null && isSamePlace(now, row)
    })
  }

  /** All tenants that there are, for those who look after them. */
  all(): Promise<readonly TenantRow[]> {
    return this.#asking(({ ledger }) => listTenants(ledger.readModel))
  }

  /** Works with those that are open now, one after another. Rejects at the end with what the first that failed has said. */
  async eachOpen(work: (hub: Hub) => Promise<void>): Promise<void> {
    const failures: unknown[] = []
    for (const { open } of [...this.#entries.values()]) {
      if (!open || open.retired.aborted) continue
      const release = open.hold()
      await work(open.hub)
        .catch((error: unknown) => failures.push(error))
        .finally(release)
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Has every tenant opened anew under the configuration that the hub has now. */
  renew(): void {
    this.#door.closeUnused(0)
    for (const entry of [...this.#entries.values()]) this.#retire(entry)
  }

  /** Resolves when those are closed that were to be. */
  async idle(): Promise<void> {
    await Promise.all(this.#retiring)
  }

  /** Lets requests finish, then closes all. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.renew()
    await this.idle()
  }

  #entry(row: TenantRow, hub: Hub): Entry {
    const known = this.#entries.get(row.tenant)
    if (known && isSamePlace(known.row, row)) {
      // The one that was used last is the last in line.
      this.#entries.delete(row.tenant)
      this.#entries.set(row.tenant, known)
      return known
    }
    if (known) this.#retire(known)
    this.#makeRoom(hub)
    const entry: Entry = { row, opening: this.#openAnew(row, hub), open: null }
    this.#entries.set(row.tenant, entry)
    entry.opening.then(
      (open) => {
        entry.open = open
      },
      () => {
        if (this.#entries.get(row.tenant) === entry) this.#entries.delete(row.tenant)
      }
    )
    return entry
  }

  async #openAnew(row: TenantRow, { config: whole, throttle, llm }: Hub): Promise<OpenTenant> {
    const config = configOfTenant(whole, row)
    const isLlmOwn = whole.tenants[row.tenant]?.llm !== undefined
    const open = () =>
      OpenTenant.open({ id: row.tenant, name: row.name }, config, isLlmOwn, { throttle, llm }, this.#host)
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      // Another release was the last to write to it.
      await bringForward(config, this.#host.clock.notice)
      return open()
    }
  }

  /** Closes the one that nobody has used for the longest time, where there are as many as may be. Throws 503 where all are in use. */
  #makeRoom({ config: { multitenancy } }: Hub): void {
    if (this.#entries.size < multitenancy.maxOpen) return
    const idle = [...this.#entries.values()].find(({ open }) => open !== null && open.idleSince !== null)
    if (!idle) throw errors.tooManyTenantsOpen()
    this.#retire(idle)
  }

  #retire(entry: Entry): void {
    // Several may have found at the same time that it has to be closed.
    if (this.#entries.get(entry.row.tenant) !== entry) return
    this.#entries.delete(entry.row.tenant)
    const overdue = () => this.#host.log.warn({ tenant: entry.row.tenant }, 'a tenant that is closed is still in use')
    const retiring = entry.opening
      .then((open) => open.retire(RETIRE_LIMIT_MS, overdue))
      .catch((err: unknown) => this.#host.log.warn({ err, tenant: entry.row.tenant }, 'a tenant did not close'))
      .finally(() => this.#retiring.delete(retiring))
    this.#retiring.add(retiring)
  }

  /** Closes those that are elsewhere or gone, which ends whoever follows them, and those that nobody has used for a while. A log that went back is opened anew once that is accepted. */
  async #look(): Promise<void> {
    this.#door.closeUnused()
    if (this.#isLooking || this.#entries.size === 0) return
    this.#isLooking = true
    try {
      await this.#asking((hub) => this.#closeUnused(hub))
    } catch {
      // The database of the hub does not answer: whoever asks for a tenant is told so.
    } finally {
      this.#isLooking = false
    }
  }

  async #closeUnused({ ledger, config }: Hub): Promise<void> {
    const idleFor_ms = config.multitenancy.closeAfterMinutes * MINUTE_MS
    for (const entry of [...this.#entries.values()]) {
      const row = await cachedTenant(ledger.readModel, entry.row.tenant)
      const idleSince = entry.open?.idleSince ?? null
      const isIdle = idleSince !== null && performance.now() - idleSince > idleFor_ms
      const isAnew = await entry.open?.hub.ledger.mayBeginAnew().catch(() => false)
      if (!row || !isSamePlace(row, entry.row) || isIdle || isAnew) this.#retire(entry)
    }
  }
}

function isSamePlace(one: TenantRow, other: TenantRow): boolean {
  return one.id === other.id && one.database === other.database && one.place === other.place
}

/** A hub under the name that its tenant has now. */
function named(hub: Hub, { name }: TenantRow): Hub {
  return hub.tenant.name === name ? hub : { ...hub, tenant: { ...hub.tenant, name } }
}

async function inTime<T>(opening: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(errors.tenantNotReady()), OPEN_LIMIT_MS)
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}
