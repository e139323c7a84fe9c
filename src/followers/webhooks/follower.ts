import type { DisabledReason } from '../../../commands/webhooks/events.js'
import { webhooksTable } from '../../../commands/webhooks/table.js'
import { systemOrigin } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS } from '../../limits.js'
import type { FeedChange, FeedEntry } from '../feed/change.js'
import type { FollowedLedger } from '../followed.js'
import {
  afterAttempt,
  begin,
  type DeliveryState,
  deliveryStateKey,
  deliveryStateOf,
  failingNow,
  isLost,
  isResting,
  isSlow,
  type Rest
} from './deliveryState.js'
import { messageOf, type WebhookRow } from './message.js'
import type { Webhooks } from './service.js'
import { ownerOf, wantedBy } from './wanted.js'

/** A turn ends after so many deliveries, so that a subscription with much to send lets others have theirs. */
const DELIVERIES_PER_TURN = 20
const PAGES_PER_TURN = 20
/** Positions that are passed over without anything to deliver, until that is written down. */
const WRITTEN_EVERY = 1000
/** A lease outlasts an attempt by so much: long enough to write down what came of it. */
const GRACE_MS = 8000
const CONTENTION_MS = 100
/** A lease of another process is looked at so often: one that stops gives it back before its end. */
const LEASE_LOOK_MS = 2000
const DAY_MS = 86_400_000

/** What a turn works with. */
export interface TurnPorts {
  readonly ledger: FollowedLedger
  readonly webhooks: Webhooks
  /** Who delivers, among the processes that do. */
  readonly holder: string
  readonly random: () => number
  /** Aborted when nothing more is to be begun. */
  readonly stopping: AbortSignal
  /** Aborted when an attempt under way is to be given up. */
  readonly ending: AbortSignal
  /** Is told that a subscription was switched off by the hub. */
  readonly disabled: (webhookId: string, reason: string) => void
}

/** Where a subscription stands while this process has the lease of it. */
interface Held {
  readonly mark: string
  readonly state: DeliveryState
}

interface Found {
  readonly entry: FeedEntry
  readonly change: FeedChange
}

/**
 * One subscription on its way along the log. What is here is only a shortcut: where it stands is in the `StateStore`, and a
 * process that has lost everything goes on from there.
 */
export class Follower {
  /** While it lasts no turn is of use. */
  rest: Rest = { since: 0, until: 0 }
  /** When the change was made that is next, where this process has to deliver it. */
  waitingSince: number | null = null
  /** Up to here there is nothing to deliver; null where that has to be looked up. */
  position: number | null = null
  /** The receiver takes long again and again, as far as is known here. */
  isSlow = false
  #written = 0
  #held: Held | null = null

  constructor(
    readonly id: string,
    /** The revision of the subscription that it follows: another one is followed anew. */
    readonly revision: number
  ) {}

  /** Forgets everything: the next turn looks up where the subscription stands. */
  reset(): void {
    this.position = null
    this.#held = null
    this.waitingSince = null
  }

  /**
   * Delivers what is next, one change after another, as far as one turn goes: no attempt begins after its time. Throws what the database does; then nothing is
   * known here any more, and what was delivered last may be delivered again.
   */
  async turn(ports: TurnPorts, row: WebhookRow): Promise<void> {
    const { now } = ports.ledger
    const end = now() + LIMITS.webhookTurn.max
    const isOver = () => ports.stopping.aborted || now() >= end
    try {
      for (let count = 0; count < DELIVERIES_PER_TURN && !isOver(); count++) if (!(await this.#step(ports, row))) return
    } catch (error) {
      this.reset()
      throw error
    }
  }

  /** Lets others deliver at once. Never rejects: a lease that is not given back runs out. */
  async release({ ledger: { storage } }: Pick<TurnPorts, 'ledger'>): Promise<void> {
    const held = this.#held
    this.#held = null
    if (!held) return
    const text = JSON.stringify({ ...held.state, lease: null })
    await storage.state.put(deliveryStateKey(this.id), text, held.mark).catch(() => {})
  }

  /** Returns true where a change was delivered or passed over, and the next one may be. */
  async #step(ports: TurnPorts, row: WebhookRow): Promise<boolean> {
    const { ledger } = ports
    const isNew = this.position === null
    if (!(await this.#lookUp(ports, row))) return this.#disable(ports, row, 'restored')
    // Its turn was that of one which is not known to be slow: the next is among those that are.
    if (isNew && this.isSlow) return false
    const owner = await ownerOf(ledger.readModel, row)
    if (!owner) return this.#disable(ports, row, 'access')
    const found = await this.#find(ports, (entry) => wantedBy(row, owner, entry))
    if (found === 'later') return false
    if (!found) return this.#rest(ports, row)
    const held = await this.#hold(ports, row, found)
    if (!held) return false
    // Behind the reading, so that what took access away before the change counts for it.
    await ledger.readModel.current()
    const [rowNow, ownerNow] = [await ledger.readModel.get(webhooksTable, row.id), await ownerOf(ledger.readModel, row)]
    if (rowNow?.revision !== row.revision) return false
    if (!ownerNow) return this.#disable(ports, row, 'access')
    const change = wantedBy(row, ownerNow, found.entry)
    if (change) return this.#deliver(ports, row, held, change)
    this.position = found.entry.change.position
    return true
  }

  /** Finds out where the subscription stands; false where that was lost. */
  async #lookUp({ ledger: { storage, readModel, now } }: TurnPorts, row: WebhookRow): Promise<boolean> {
    if (this.position !== null && this.position <= readModel.head.position) return true
    const key = deliveryStateKey(row.id)
    const entry = await storage.state.get(key)
    // Behind the reading, so that what another hub has delivered by then is in the log that is known.
    await readModel.current()
    if (!entry && isLost(row, now())) return false
    if (!entry) await begin(storage.state, row)
    const state = deliveryStateOf(row, entry)
    this.isSlow = isSlow(state)
    const end = readModel.head.position
    // The log was put back to an earlier state: what comes next is new.
    if (state.position > end) {
      const text = JSON.stringify({ ...state, position: end, failing: null, lease: null })
      await storage.state.put(key, text, entry?.mark ?? null)
      this.#held = null
    }
    this.position = Math.min(Math.max(state.position, this.position ?? 0), end)
    // What was passed over since is not written down yet, where it is looked up again because others are ahead of what is known here.
    this.#written = Math.min(state.position, end)
    return true
  }

  /** The next change that is wanted; null where the log has none, `later` where there is more to look through. */
  async #find(
    { ledger: { tail } }: TurnPorts,
    wanted: (entry: FeedEntry) => FeedChange | null
  ): Promise<Found | 'later' | null> {
    for (let page = 0; page < PAGES_PER_TURN; page++) {
      const entries = await tail.after(this.position ?? 0)
      if (entries.length === 0) return null
      for (const entry of entries) {
        const change = wanted(entry)
        if (change) return { entry, change }
        this.position = entry.change.position
      }
      await giveWay()
    }
    return 'later'
  }

  /** Nothing is to be delivered. How far that is known is written down now and then, or a restart would look through all of it. */
  async #rest({ ledger: { storage } }: TurnPorts, row: WebhookRow): Promise<false> {
    this.waitingSince = null
    const position = this.position ?? 0
    if (position - this.#written < WRITTEN_EVERY) return false
    const entry = await storage.state.get(deliveryStateKey(row.id))
    const state = deliveryStateOf(row, entry)
    this.#written = Math.max(position, state.position)
    if (state.position < position) {
      this.#held = null
      const text = JSON.stringify({ ...state, position, failing: null })
      await storage.state.put(deliveryStateKey(row.id), text, entry?.mark ?? null)
    }
    return false
  }

  /** The lease of the subscription, for long enough to deliver a change; null where that is not for now, or not for us. */
  async #hold({ ledger, webhooks, holder }: TurnPorts, row: WebhookRow, { change }: Found): Promise<Held | null> {
    const now = ledger.now()
    const attempt_ms = webhooks.settings.timeoutSeconds * 1000
    if (
      this.#held &&
      this.#held.state.position < change.position &&
      (this.#held.state.lease?.until ?? 0) > now + attempt_ms + GRACE_MS / 4
    ) {
      this.waitingSince = Date.parse(change.at)
      return this.#held
    }
    this.#held = null
    const entry = await ledger.storage.state.get(deliveryStateKey(row.id))
    const state = deliveryStateOf(row, entry)
    if (state.position >= change.position) {
      // Somebody else has delivered it.
      this.position = state.position
      return null
    }
    const { lease } = state
    const since = (lease?.until ?? 0) - attempt_ms - GRACE_MS
    if (lease && lease.holder !== holder && isResting({ since, until: lease.until }, now)) {
      this.waitingSince = null
      this.rest = { since: now, until: Math.min(lease.until, now + LEASE_LOOK_MS) }
      return null
    }
    this.waitingSince = Date.parse(change.at)
    const failing = failingNow(state, row)
    const pause = { since: failing?.lastAt ?? 0, until: failing?.nextAt ?? 0 }
    if (isResting(pause, now)) {
      this.rest = pause
      return null
    }
    const until = now + attempt_ms + GRACE_MS
    const mine = { ...state, position: change.position - 1, lease: { holder, until } }
    const mark = await ledger.storage.state.put(deliveryStateKey(row.id), JSON.stringify(mine), entry?.mark ?? null)
    if (mark === null) {
      this.rest = { since: now, until: now + CONTENTION_MS }
      return null
    }
    this.#held = { mark, state: mine }
    return this.#held
  }

  async #deliver(ports: TurnPorts, row: WebhookRow, held: Held, change: FeedChange): Promise<boolean> {
    const { ledger, webhooks, holder, random, ending } = ports
    const message = messageOf(row.id, change)
    const sent = await webhooks.deliver(row, message, ledger.now(), ending).catch((error: unknown) => {
      if (!ending.aborted) throw error
      return null
    })
    // Given up in the middle: whoever goes on sends it again.
    if (!sent) return false
    const now = ledger.now()
    const { position, type } = change
    const attempt = { messageId: message.id, position, type, now, sent, random: random() }
    const after = afterAttempt(held.state, row, attempt)
    const until = now + webhooks.settings.timeoutSeconds * 1000 + GRACE_MS
    const state = sent.isDelivered ? { ...after, lease: { holder, until } } : after
    const mark = await ledger.storage.state.put(deliveryStateKey(row.id), JSON.stringify(state), held.mark)
    webhooks.counts[sent.isDelivered ? 'delivered' : 'failed']++
    this.isSlow = isSlow(state)
    if (mark === null) {
      this.reset()
      return false
    }
    if (sent.isDelivered) {
      this.#held = { mark, state }
      this.position = position
      this.#written = position
      return true
    }
    this.#held = null
    if (sent.status === 410) return this.#disable(ports, row, 'gone')
    const { since, nextAt, untried } = after.failing ?? { since: now, nextAt: now, untried: 0 }
    if (now - since - untried >= webhooks.settings.disableAfterDays * DAY_MS)
      return this.#disable(ports, row, 'failures')
    this.rest = { since: now, until: nextAt }
    return false
  }

  async #disable(ports: TurnPorts, row: WebhookRow, reason: DisabledReason): Promise<false> {
    await this.release(ports)
    this.waitingSince = null
    const { readModel, run } = ports.ledger
    await run({ type: 'DisableWebhook', id: row.id, reason, seen: row.revision }, systemOrigin)
    // Where it was changed meanwhile it stays as it is.
    const after = await readModel.get(webhooksTable, row.id)
    if (after?.disabledReason === reason) ports.disabled(row.id, reason)
    return false
  }
}
