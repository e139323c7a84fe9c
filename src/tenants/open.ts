import { knownToken } from '../../queries/callers.js'
import { type Hub, openReadyLedger, type ReadyLedgerOptions, usableWebhooks } from '../app/hub.js'
import { Lease } from '../app/lease.js'
import type { HubConfig } from '../config/types.js'
import { WebhookDispatcher, type WebhookLog } from '../followers/webhooks/dispatcher.js'
import type { Ledger } from '../ledger/ledger.js'
import { headsOf } from '../ledger/lostEnds.js'
import { offeredIds } from '../llm/catalog.js'
import { type Llm, LlmService } from '../llm/service.js'
import type { LlmLog } from '../llm/tools.js'
import { scopedThrottle } from '../throttle/scoped.js'
import type { CountedThrottle } from '../throttle/throttle.js'
import { isKnownIn, type Shown } from './door.js'

/** What tenants have together: everything but their logs. */
export interface Shared {
  readonly throttle: CountedThrottle
  readonly llm: Llm | null
}

/** With what ledgers are opened, and who is told of what goes wrong. */
export interface TenantHost {
  readonly clock: ReadyLedgerOptions
  readonly log: LlmLog & WebhookLog
}

/** A tenant whose log is open in this process, and what serves its requests. */
export class OpenTenant {
  readonly hub: Hub
  /** Aborted when the tenant is elsewhere, gone or configured anew: whatever follows its log has to end. */
  readonly #retired = new AbortController()
  readonly #lease: Lease<Ledger>
  readonly #dispatcher: WebhookDispatcher | null
  readonly #llm: LlmService | null
  #users = 0
  #idleSince = performance.now()

  private constructor(hub: Hub, dispatched: WebhookLog, llm: LlmService | null) {
    this.hub = hub
    this.#lease = new Lease(hub.ledger)
    this.#llm = llm
    this.#dispatcher = hub.webhooks ? new WebhookDispatcher({ hub, enter: () => this.#entered() }, dispatched) : null
  }

  /** Opens the log of a tenant, which is set up. Throws as `openReadyLedger` does. */
  static async open(
    tenant: Hub['tenant'],
    config: HubConfig,
    isLlmOwn: boolean,
    shared: Shared,
    { clock, log }: TenantHost
  ): Promise<OpenTenant> {
    const webhooks = usableWebhooks(config)
    const { superseded: _, ...own } = clock
    const ledger = await openReadyLedger(config, {
      ...own,
      // The clock goes with the log of the hub, or nothing would be served: a tenant may well be silent for so long.
      acceptClock: true,
      models: () => offeredIds(config),
      addresses: () => config.audit.address,
      heads: headsOf(() => shared.throttle.heads, config.db)
    })
    const llm = isLlmOwn && config.llm ? new LlmService(config, log) : null
    const models = isLlmOwn ? (llm?.under(config) ?? null) : shared.llm
    const throttle = scopedThrottle(shared.throttle, tenant.id)
    ledger.indexer.follow()
    return new OpenTenant(
      { tenant, config, ledger, throttle, llm: models, webhooks, signIn: null, authorization: null },
      log,
      llm
    )
  }

  /** Since when nobody uses it, on the clock of `performance.now`; null while somebody does, or changes wait to be delivered. */
  get idleSince(): number | null {
    return this.#users > 0 || this.#dispatcher?.isBehind === true ? null : this.#idleSince
  }

  get retired(): AbortSignal {
    return this.#retired.signal
  }

  /** Keeps the log open until what it returns is called. */
  hold(): () => void {
    const { leave } = this.#entered()
    this.#users++
    return () => {
      leave()
      this.#users--
      this.#idleSince = performance.now()
    }
  }

  /** Ends what follows the log, lets requests finish, and closes it; `overdue` is told once where that takes long. */
  async retire(limit_ms: number, overdue: () => void): Promise<void> {
    this.#retired.abort()
    await this.#dispatcher?.stop()
    await this.#lease.retire(limit_ms, overdue)
    await this.#llm?.close()
  }

  /** True where the log knows what a request shows. Asking is no use of it, by which it would stay open. */
  async knows(shown: Shown): Promise<boolean> {
    const { hub, leave } = this.#entered()
    try {
      const { readModel } = hub.ledger
      return shown.kind === 'token'
        ? (await knownToken(readModel, shown.hash)) !== null
        : await isKnownIn(readModel, shown)
    } finally {
      leave()
    }
  }

  #entered() {
    this.#lease.enter()
    return { hub: this.hub, leave: () => this.#lease.leave() }
  }
}
