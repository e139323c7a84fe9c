import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { openAuthorization } from '../authorization/service.js'
import { ConfigError, type LoadedConfig } from '../config/load.js'
import type { HubConfig } from '../config/types.js'
import { newCounts, openWebhooks, type Webhooks } from '../followers/webhooks/service.js'
import { type CommandOrigin, systemOrigin } from '../ledger/ledger.js'
import { headsOf } from '../ledger/lostEnds.js'
import { offeredIds } from '../llm/catalog.js'
import { LlmService } from '../llm/service.js'
import { openSignIn } from '../signIn/service.js'
import type { TenantHost } from '../tenants/open.js'
import { Tenants } from '../tenants/tenants.js'
import type { CountedThrottle } from '../throttle/throttle.js'
import { readSealing } from '../trust/audit/sealKey.js'
import { openThrottle } from './databases.js'
import { type Hub, ITSELF, openReadyLedger, type ReadyLedgerOptions, usableWebhooks } from './hub.js'
import { type FaultsOfKeys, faultsOfKeys, lookAtKeys } from './keys.js'
import { Lease } from './lease.js'
import type { OpenLedger } from './openLedger.js'
import {
  fixedKeys,
  isSame,
  otherStatuses,
  type ReloadReport,
  type SectionStatus,
  serverStatus,
  settled
} from './reload.js'

/** How often it is looked whether a log that went back is accepted. */
const LOOK_EVERY_MS = 1000
/** Longer than any request may take that is no step of a chat. */
const REQUEST_LIMIT_MS = 180_000
/** What a step may take beyond its own limit, to record what it has used. */
const STEP_GRACE_MS = 60_000

/**
 * The clock of a hub: what it says, who is told of what it may have wrong, and whether it is believed all the same; and who is
 * told when another release takes a database over.
 */
type LedgerClock = Pick<ReadyLedgerOptions, 'now' | 'notice' | 'acceptClock' | 'superseded'>

/** Where a running hub tells what goes wrong; a pino logger is one. */
export type HubLog = TenantHost['log']

interface Current {
  readonly loaded: LoadedConfig
  readonly ledger: Lease<OpenLedger>
  readonly throttle: Lease<CountedThrottle>
  readonly hub: Hub
}

/** The time that one request spends with a hub. */
export interface HubLease {
  readonly hub: Hub
  readonly leave: () => void
  /** Keeps the connections open beyond `leave`, until what it returns is called. */
  readonly hold: () => () => void
}

/** Where requests get their hub from. */
export interface HubProvider {
  /** The hub as it is now. */
  readonly hub: Hub
  /** The hub for one request: its connections stay open until `leave` is called, and that of every further `hold`. */
  enter(): HubLease
  /** Follows the configuration file, and keeps in the log that it did, on whose behalf, and what came of it. */
  reload(origin?: CommandOrigin): Promise<ReloadReport>
  /** Null where there is no tenant but the hub itself. */
  readonly tenants: Tenants | null
}

/** The hub of a running process: what each request gets, and how it follows its configuration file. */
export class LiveHub implements HubProvider {
  readonly #load: () => LoadedConfig
  readonly #llm: LlmService
  readonly #clock: LedgerClock
  readonly #log: HubLog
  readonly #webhookCounts: Webhooks['counts']
  readonly #retiring = new Set<Promise<unknown>>()
  /** Null where the configuration did not have them at the start. */
  readonly tenants: Tenants | null
  #current: Current
  #turn: Promise<unknown> = Promise.resolve()
  /** Nothing that it opened from then on would be closed. */
  #isClosing = false
  readonly #lookAtLog: NodeJS.Timeout

  private constructor(load: () => LoadedConfig, llm: LlmService, log: HubLog, clock: LedgerClock, current: Current) {
    this.#load = load
    this.#log = log
    this.#llm = llm
    this.#clock = clock
    this.#current = current
    this.#webhookCounts = current.hub.webhooks?.counts ?? newCounts()
    const { enabled } = current.hub.config.multitenancy
    this.tenants = enabled ? new Tenants(this, { clock, log }) : null
    this.#lookAtLog = setInterval(() => void this.#beginAnewIfAccepted(), LOOK_EVERY_MS).unref()
  }

  /**
   * Opens what the configuration names. Throws what an operator has to do first; then nothing is left open. `clock` is that
   * of its ledgers, which is compared with every log that is opened.
   */
  static async open(
    load: () => LoadedConfig,
    logOf: (config: HubConfig) => HubLog,
    clock: LedgerClock = {}
  ): Promise<LiveHub> {
    const loaded = load()
    const { config } = loaded
    // Before anything that has something to say.
    const log = logOf(config)
    lookAtKeys(config, log)
    const webhooks = usableWebhooks(config)
    const throttle = await openThrottle(config)
    let live: LiveHub | undefined
    try {
      const ledger = await openServed(config, clock, () => live?.hub ?? { config, throttle })
      const llm = new LlmService(config, log)
      const current = assembled(loaded, new Lease(ledger), new Lease(throttle), llm, webhooks, log)
      live = new LiveHub(load, llm, log, clock, current)
      return live
    } catch (error) {
      await throttle.close()
      throw error
    }
  }

  get hub(): Hub {
    return this.#current.hub
  }

  enter(): HubLease {
    const { hub, ledger, throttle } = this.#current
    const hold = () => {
      ledger.enter()
      throttle.enter()
      return () => {
        ledger.leave()
        throttle.leave()
      }
    }
    return { hub, leave: hold(), hold }
  }

  /**
   * Reads the file again and takes over what changed, section by section: connections only where their mapping changed,
   * and a section that fails keeps what it had. One at a time.
   */
  reload(origin: CommandOrigin = systemOrigin): Promise<ReloadReport> {
    const turn = this.#turn.then(async () => {
      const report = await this.#reread()
      if (report.fatalError === undefined) this.#log.info({ ...report }, 'configuration reloaded')
      else this.#log.warn({ error: report.fatalError }, 'configuration could not be reloaded')
      await this.#record(report, origin)
      return report
    })
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Lets requests in flight finish, then lets go of everything. */
  async close(): Promise<void> {
    clearInterval(this.#lookAtLog)
    this.#isClosing = true
    await this.#turn
    await this.tenants?.close()
    this.#retire(this.#current.ledger)
    this.#retire(this.#current.throttle)
    await Promise.all([...this.#retiring, this.#llm.close()])
  }

  /** Opens the log once more where it went back and that is accepted: nothing that was known of it is kept. */
  async #beginAnewIfAccepted(): Promise<void> {
    const { hub, ledger } = this.#current
    if (!hub.ledger.readModel.wentBack || !(await hub.ledger.mayBeginAnew().catch(() => false))) return
    const turn = this.#turn.then(async () => {
      if (this.#isClosing || this.#current.ledger !== ledger) return
      const { loaded, throttle } = this.#current
      const opened = new Lease(await openServed(loaded.config, this.#clock, () => this.hub))
      this.#current = assembled(loaded, opened, throttle, this.#llm, this.hub.webhooks, this.#log)
      this.#retireLog(ledger)
      this.#log.warn(
        { position: opened.value.readModel.head.position },
        'the log that went back is accepted and served'
      )
    })
    this.#turn = turn.catch(() => {})
    await turn.catch((err: unknown) => this.#log.error({ err }, 'the log cannot be opened again'))
  }

  async #reread(): Promise<ReloadReport> {
    if (this.#isClosing) return { sections: [], fatalError: 'The hub is stopping.' }
    let next: LoadedConfig
    try {
      next = this.#load()
    } catch (error) {
      if (error instanceof ConfigError) return { sections: [], fatalError: error.message }
      throw error
    }
    for (const warning of next.warnings) this.#log.warn({}, warning)
    const { loaded: before, ledger, throttle } = this.#current
    const isSameData = isSameSection('db', before, next) && isSameSection('storage', before, next)
    const isSameLog = isSameData && hasKey(ledger.value, next.config)
    const db = await reconnected('db', isSameLog, () => openServed(next.config, this.#clock, () => this.hub), ledger)
    const isSameStore = isSameSection('redis', before, next) && hasHeadsThere(before.config, next.config)
    const redis = await reconnected('redis', isSameStore, () => openThrottle(next.config), throttle)
    const llm = settled('llm', [before.raw.llm, before.raw.docs], [next.raw.llm, next.raw.docs])
    const plugins = settled('plugins', before.raw.plugins, next.raw.plugins)
    const [shared, sharedNext] = [before.raw.collaboration, next.raw.collaboration]
    const isNamed = shared !== undefined || sharedNext !== undefined
    const collaboration = isNamed ? [settled('collaboration', shared, sharedNext)] : []
    const server = serverStatus(fixedKeys(before.config, next.config))
    const webhooks = this.#webhooksUnder(next.config)
    this.#llm.reload(next.config)
    const keys = { ...faultsOfKeys(next.config), webhooks: webhooks.error }
    const loaded = effective(before, next, db.status, redis.status, keys)
    const isSealedSo = isDeepStrictEqual(sealKeys(loaded.config), sealKeys(next.config))
    const failed = { ...keys, audit: isSealedSo ? undefined : db.status.error }
    const others = otherStatuses(before.config, next.config, failed)
    this.#current = assembled(loaded, db.lease, redis.lease, this.#llm, webhooks.value, this.#log)
    const isSameHub = isSame(before.config, loaded.config) && db.lease === ledger && redis.lease === throttle
    if (!isSameHub) this.tenants?.renew()
    if (db.lease !== ledger) this.#retireLog(ledger, before.config)
    if (redis.lease !== throttle) this.#retire(throttle, before.config)
    return { sections: [db.status, redis.status, llm, plugins, ...collaboration, server], ...others }
  }

  /** What webhooks are sent with from now on: what they were sent with, where the key cannot be used, and why. */
  #webhooksUnder(config: HubConfig): { readonly value: Webhooks | null; readonly error?: string } {
    const { webhooks } = this.hub
    if (webhooks && isDeepStrictEqual(webhooks.settings, config.webhooks)) return { value: webhooks }
    try {
      return { value: openWebhooks(config, this.#webhookCounts) }
    } catch (err) {
      this.#log.warn({ err }, 'webhooks go on under the configuration before')
      return { value: webhooks, error: err instanceof Error ? err.message : String(err) }
    }
  }

  async #record({ sections, others = [], fatalError }: ReloadReport, origin: CommandOrigin): Promise<void> {
    const { ledger } = this.hub
    const outcome = [...sections, ...others].map(({ section, status }) => ({ section, status }))
    const data = { sections: outcome, fatal: fatalError !== undefined }
    const command = { type: 'RecordConfigurationReloaded', id: randomUUID(), data } as const
    // The token may be unknown to another database; and what was reloaded stays so though a database does not answer.
    await ledger
      .run(command, origin)
      .catch(() => ledger.run(command, systemOrigin))
      .catch(() => {})
  }

  #retireLog(ledger: Lease<OpenLedger>, config?: HubConfig): void {
    // Whoever follows this log would hold its connection, and hear of nothing more.
    ledger.value.tail.wakeAll()
    this.#retire(ledger, config)
  }

  #retire(lease: Lease<{ close(): Promise<void> }>, config = this.hub.config): void {
    const limit_ms = holdLimit_ms(config)
    const overdue = () =>
      this.#log.warn({ seconds: limit_ms / 1000 }, 'a connection of an earlier configuration is still in use')
    const retiring = lease.retire(limit_ms, overdue).finally(() => this.#retiring.delete(retiring))
    this.#retiring.add(retiring)
  }
}

/** Opens a ledger that serves under whatever configuration the hub has by then. Throws as `openReadyLedger` does. */
async function openServed(
  config: HubConfig,
  clock: LedgerClock,
  hub: () => Pick<Hub, 'config' | 'throttle'>
): Promise<OpenLedger> {
  const models = () => offeredIds(hub().config)
  const addresses = () => hub().config.audit.address
  const heads = headsOf(() => hub().throttle.heads, config.db)
  const opened = await openReadyLedger(config, { ...clock, models, addresses, heads, willWrite: true })
  opened.indexer.follow()
  return opened
}

/** How long a request may hold its connections, when all goes well. */
export function holdLimit_ms({ llm }: Pick<HubConfig, 'llm'>): number {
  return Math.max(REQUEST_LIMIT_MS, (llm?.stepTimeoutSeconds ?? 0) * 1000 + STEP_GRACE_MS)
}

function assembled(
  loaded: LoadedConfig,
  ledger: Lease<OpenLedger>,
  throttle: Lease<CountedThrottle>,
  llm: LlmService,
  webhooks: Webhooks | null,
  log: HubLog
): Current {
  const { config } = loaded
  const hub = {
    config,
    tenant: ITSELF,
    ledger: ledger.value,
    throttle: throttle.value,
    llm: llm.under(config),
    webhooks,
    authorization: openAuthorization(config, throttle.value.texts),
    signIn: openSignIn(config, (provider, code, why) =>
      log.warn({ provider, code, why }, 'a provider of sign-in answered what cannot be used')
    )
  }
  return { loaded, ledger, throttle, hub }
}

/** True where a section says the same, and the certificates that it names are the same. */
function isSameSection(section: 'db' | 'redis' | 'storage', before: LoadedConfig, next: LoadedConfig): boolean {
  return (
    isDeepStrictEqual(before.raw[section], next.raw[section]) &&
    isDeepStrictEqual(before.config[section], next.config[section])
  )
}

/** True where a throttle store without Redis has it in the same folder how far logs have come. */
function hasHeadsThere({ audit: before }: HubConfig, { audit, redis }: HubConfig): boolean {
  return redis.driver !== 'memory' || audit.headDirectory === before.headDirectory
}

/** True where the ledger writes with the key that a configuration names. */
function hasKey({ sealing }: OpenLedger, { audit: { sealKeyFile: file } }: HubConfig): boolean {
  try {
    return (file === undefined ? null : readSealing(file).keyId) === sealing.keyId
  } catch {
    // Opening it again tells why.
    return false
  }
}

async function reconnected<T extends { close(): Promise<void> }>(
  section: 'db' | 'redis',
  isSame: boolean,
  open: () => Promise<T>,
  lease: Lease<T>
): Promise<{ readonly status: SectionStatus; readonly lease: Lease<T> }> {
  if (isSame) return { status: { section, status: 'unchanged' }, lease }
  try {
    return { lease: new Lease(await open()), status: { section, status: 'reloaded' } }
  } catch (error) {
    return {
      status: { section, status: 'failed', error: error instanceof Error ? error.message : String(error) },
      lease
    }
  }
}

/** What is in force after a reload: the next configuration, but for what failed and what is fixed at start. */
function effective(
  before: LoadedConfig,
  next: LoadedConfig,
  { status: db }: SectionStatus,
  { status: redis }: SectionStatus,
  keys: FaultsOfKeys
): LoadedConfig {
  const underKey = (fault: string | undefined) => (fault === undefined ? next : before).config
  const keptDb = db === 'failed' ? before : next
  const keptRedis = redis === 'failed' ? before : next
  const { server, logging, metrics, console } = before.config
  const { enabled } = before.config.multitenancy
  const multitenancy = { ...next.config.multitenancy, enabled }
  // The log is verified with the keys that the connection in force writes with.
  const audit = { ...next.config.audit, ...sealKeys(keptDb.config) }
  return {
    config: {
      ...next.config,
      ...{ server, logging, metrics, console, audit, multitenancy },
      signIn: underKey(keys.signIn).signIn,
      authorization: underKey(keys.authorization).authorization,
      webhooks: underKey(keys.webhooks).webhooks,
      ...{ db: keptDb.config.db, storage: keptDb.config.storage, redis: keptRedis.config.redis }
    },
    raw: { ...next.raw, db: keptDb.raw.db, storage: keptDb.raw.storage, redis: keptRedis.raw.redis },
    warnings: next.warnings
  }
}

/** The keys that a log is sealed and verified with. */
function sealKeys({ audit: { sealKeyFile, formerSealKeyFiles } }: HubConfig) {
  return { sealKeyFile, formerSealKeyFiles }
}
