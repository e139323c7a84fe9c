import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { webhooksTable } from '../../../commands/webhooks/table.js'
import { LIMITS } from '../../limits.js'
import type { FollowedLedger } from '../followed.js'
import { deliveryStateKey, isResting } from './deliveryState.js'
import { Follower, type TurnPorts } from './follower.js'
import type { WebhookRow } from './message.js'
import type { Webhooks } from './service.js'
import { type Candidate, nextTurn } from './turns.js'

/** What is served now: the log, and what is sent with. */
interface Served {
  readonly ledger: FollowedLedger
  readonly webhooks: Webhooks | null
}

/** Where the dispatcher gets that from: its connections stay open until `leave` is called. */
export interface WebhookSource {
  readonly hub: Served
  enter(): { readonly hub: Served; readonly leave: () => void }
}

export interface WebhookLog {
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** A turn under way. */
interface Running {
  readonly account: string
  readonly follower: Follower
  readonly done: Promise<void>
}

/** How long a dispatcher rests, and what spreads the repeats of a delivery. */
interface Pace {
  readonly random: () => number
  /** Without a subscription nobody asks the database whether the log has moved. */
  readonly idle_ms: number
}

const PACE: Pace = { random: Math.random, idle_ms: 500 }
/** Whatever the clock of the log says, what is due is looked at so often. */
const TICK_MS = 1000
const OUTAGE_MS = 1000

/**
 * Delivers the changes of the log to all who subscribe a URL: some subscriptions at once, each in the order of the log. Several
 * processes may do so on one log: a lease says which of them delivers to whom.
 */
export class WebhookDispatcher {
  readonly #source: WebhookSource
  readonly #log: WebhookLog
  readonly #pace: Pace
  readonly #holder = randomUUID()
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  /** Turns under way, by the id of the subscription: never two of one. */
  readonly #running = new Map<string, Running>()
  #followers = new Map<string, Follower>()
  #ledger: FollowedLedger | null = null
  #wake = new AbortController()
  #count = 0
  #isFailing = false
  readonly #done: Promise<void>

  /** Begins at once. */
  constructor(source: WebhookSource, log: WebhookLog, pace: Partial<Pace> = {}) {
    this.#source = source
    this.#log = log
    this.#pace = { ...PACE, ...pace }
    // Each attempt under way listens to it.
    setMaxListeners(LIMITS.webhooksAtOnce.max, this.#ending.signal)
    this.#done = this.#run()
  }

  /** True while changes wait to be delivered, as far as this process knows; and until it has looked for the first time. */
  get isBehind(): boolean {
    if (!this.#ledger || this.#count === Number.POSITIVE_INFINITY) return true
    const end = this.#ledger.readModel.head.position
    return [...this.#followers.values()].some(({ position }) => position !== end)
  }

  /** Begins no more deliveries, gives those under way a moment, and lets other processes go on with the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake.abort()
    const timer = setTimeout(() => this.#ending.abort(), LIMITS.stopGrace.max)
    await this.#done
    await Promise.all([...this.#running.values()].map(({ done }) => done))
    clearTimeout(timer)
    const ledger = this.#ledger
    if (ledger && this.#source.hub.ledger === ledger)
      await Promise.all([...this.#followers.values()].map((follower) => follower.release({ ledger })))
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController()
      const { hub, leave } = this.#source.enter()
      try {
        const seen = hub.ledger.readModel.head.position
        const isIdle = !(await this.#startDue(hub))
        if (isIdle) await rest(this.#pace.idle_ms, this.#wake.signal)
        else {
          const timer = setTimeout(() => this.#wake.abort(), TICK_MS)
          await hub.ledger.tail.waitForEvents(seen, this.#wake.signal)
          clearTimeout(timer)
        }
      } catch (err) {
        this.#logFailure(err)
        await rest(OUTAGE_MS, this.#stopping.signal)
      } finally {
        leave()
      }
    }
  }

  /** Begins a turn for each subscription that is due, as far as there is room. Returns false where there is no subscription. */
  async #startDue({ ledger, webhooks }: Served): Promise<boolean> {
    if (ledger !== this.#ledger) {
      this.#ledger = ledger
      this.#followers = new Map()
      this.#count = Number.POSITIVE_INFINITY
    }
    const rows = webhooks ? await ledger.readModel.list(webhooksTable, 'byAge', []) : []
    if (webhooks && rows.length < this.#count) await sweep(ledger)
    const enabled = rows.filter(({ isEnabled }) => isEnabled)
    await this.#keepUp(ledger, enabled)
    this.#count = rows.length
    if (!webhooks || enabled.length === 0) return false
    webhooks.counts.oldest = () => this.#oldest()
    const byId = new Map(enabled.map((row) => [row.id, row]))
    while (!this.#stopping.signal.aborted) {
      const next = nextTurn(this.#candidates(ledger, byId))
      const [follower, row] = [this.#followers.get(next?.id ?? ''), byId.get(next?.id ?? '')]
      if (!follower || !row || !this.#begin(follower, row)) break
      this.#followers.delete(follower.id)
      this.#followers.set(follower.id, follower)
    }
    return true
  }

  /** Those that had no turn for the longest time come first: each that has one goes to the end. */
  #candidates({ now, readModel }: FollowedLedger, rows: ReadonlyMap<string, WebhookRow>): readonly Candidate[] {
    const [time, end] = [now(), readModel.head.position]
    const followed = [...this.#followers.values()].map((follower): Candidate => {
      const { id, position, rest } = follower
      const running = this.#running.get(id)
      const { isSlow } = running?.follower ?? follower
      const isDue = position !== end && !isResting(rest, time)
      const state = running ? 'running' : isDue ? 'due' : 'resting'
      return { id, account: rows.get(id)?.ownerId ?? '', isSlow, state }
    })
    // What was deleted or switched off meanwhile has its place until its turn ends.
    const gone = [...this.#running].flatMap(([id, { account, follower }]): Candidate[] =>
      this.#followers.has(id) ? [] : [{ id, account, isSlow: follower.isSlow, state: 'running' }]
    )
    return [...gone, ...followed]
  }

  /** A follower for each subscription; one that began anew, or was changed, is looked at anew. */
  async #keepUp(ledger: FollowedLedger, rows: readonly WebhookRow[]): Promise<void> {
    const wanted = new Map(rows.map((row) => [row.id, row]))
    const replaced = [...this.#followers.values()].filter((one) => wanted.get(one.id)?.revision !== one.revision)
    for (const { id } of replaced) this.#followers.delete(id)
    for (const { id, revision } of rows)
      if (!this.#followers.has(id)) this.#followers.set(id, new Follower(id, revision))
    // Nobody else knows of their leases. Where one has a turn, that gives it back at its end.
    await Promise.all(replaced.filter(({ id }) => !this.#running.has(id)).map((one) => one.release({ ledger })))
  }

  /** Begins a turn; false where the hub is another one by now. */
  #begin(follower: Follower, row: WebhookRow): boolean {
    const { hub, leave } = this.#source.enter()
    const { ledger, webhooks } = hub
    if (!webhooks || ledger !== this.#ledger) {
      leave()
      return false
    }
    const ports: TurnPorts = {
      ledger,
      webhooks,
      holder: this.#holder,
      random: this.#pace.random,
      stopping: this.#stopping.signal,
      ending: this.#ending.signal,
      disabled: (id, reason) => this.#log.warn({ webhook: id, reason }, 'a webhook was switched off')
    }
    const done = follower
      .turn(ports, row)
      .then(() => {
        this.#isFailing = false
      })
      .catch((err: unknown) => {
        const since = ledger.now()
        follower.rest = { since, until: since + OUTAGE_MS }
        this.#logFailure(err)
      })
      .then(async () => {
        if (this.#followers.get(follower.id) !== follower) await follower.release({ ledger })
        leave()
        this.#running.delete(follower.id)
        this.#wake.abort()
      })
    this.#running.set(follower.id, { account: row.ownerId, follower, done })
    return true
  }

  /** Said once until a turn comes to its end again. */
  #logFailure(err: unknown): void {
    if (!this.#isFailing) this.#log.error({ err }, 'webhooks could not be delivered')
    this.#isFailing = true
  }

  #oldest(): number | null {
    const times = [...this.#followers.values()].flatMap(({ waitingSince }) => waitingSince ?? [])
    return times.length === 0 ? null : Math.min(...times)
  }
}

/** Takes away where those stood that are gone. */
async function sweep({ storage: { state }, readModel }: FollowedLedger): Promise<void> {
  const standings: string[] = []
  for (;;) {
    const page = await state.list(deliveryStateKey(''), standings.at(-1) ?? '', LIMITS.statePage.max)
    if (page.length === 0) break
    standings.push(...page.map(({ key }) => key))
  }
  // Behind the reading: what has a state now is known then.
  await readModel.current()
  const rows = await readModel.list(webhooksTable, 'byAge', [])
  const wanted = new Set(rows.map(({ id }) => deliveryStateKey(id)))
  for (const key of standings) if (!wanted.has(key)) await state.delete(key)
}

async function rest(time_ms: number, signal: AbortSignal): Promise<void> {
  await sleep(time_ms, undefined, { signal, ref: false }).catch(() => {})
}
