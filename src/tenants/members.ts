import { z } from 'zod'
import { rounds } from '../log/rounds.js'
import type { StateStore } from '../storage/storage.js'
import { ownerOf } from './owner.js'

/** A process of the hub, where others reach it, and the key by which it knows what they send. */
export interface Member {
  readonly id: string
  readonly host: string
  readonly port: number
  /** Of X25519, in base64. */
  readonly publicKey: string
}

const member = z.object({
  ...{ id: z.string(), host: z.string(), port: z.number(), publicKey: z.string() },
  /** Grows as long as the process is there. */
  beat: z.number()
})
const membership = z.object({ members: z.array(member) })
type Beating = z.infer<typeof member>

/** Where the processes of a hub are written down, beside its log. */
export const MEMBERS_KEY = 'processes'
/** A text beside the log holds no more. */
const MEMBERS_MAX = 100
const BEAT_MS = 3000
/** Who was silent for so long, by the clock of whoever looks, is not there. */
const SILENCE_MS = 5 * BEAT_MS
/** So long one that could not be reached is not tried again. */
const AVOIDED_MS = 5000
const ATTEMPTS = 5

export interface MemberEvents {
  /** Told of a beat that did not go out. */
  failed(error: unknown): void
  /** Told of a member that has left, or was silent for too long. */
  gone(member: Member): void
}

/** When members do what; tests have less patience. */
export interface MemberTimes {
  readonly beat_ms: number
  readonly silence_ms: number
}

/**
 * The processes that share the tenants of a hub. Each has a lease, which it renews every few seconds by a compare-and-swap on one text
 * beside the log, and which ends when others have not seen it renewed for a while: no clock has to be right. Nothing depends on
 * all knowing the same: any process may serve any tenant, and a request is handed on once.
 */
export class Members {
  readonly #self: Member
  readonly #state: () => StateStore
  readonly #times: MemberTimes
  readonly #told: MemberEvents
  readonly #renewal = rounds(() => this.#renew())
  /** When the beat of each was last seen to change. */
  readonly #seen = new Map<string, { readonly beat: number; readonly at_ms: number }>()
  readonly #avoidedUntil = new Map<string, number>()
  #others: readonly Beating[] = []
  #beat = 0
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #isOver = false

  /** `state` is asked each time: a reload may change the database. */
  constructor(
    self: Member,
    state: () => StateStore,
    told: MemberEvents,
    times: MemberTimes = { beat_ms: BEAT_MS, silence_ms: SILENCE_MS }
  ) {
    this.#self = self
    this.#state = state
    this.#told = told
    this.#times = times
  }

  /** Writes this process down, and keeps it so until `leave`. Rejects where the database does not answer. */
  async join(): Promise<void> {
    await this.#renewal()
    this.#schedule()
  }

  /** All that are there, with this one. */
  get all(): readonly Member[] {
    return [this.#self, ...this.#others]
  }

  /** The other process that serves a tenant; null where it is this one. */
  ownerOf(tenant: string): Member | null {
    const now = performance.now()
    const reached = this.all.filter(({ id }) => (this.#avoidedUntil.get(id) ?? 0) <= now)
    const owner = ownerOf(tenant, reached)
    return owner?.id === this.#self.id ? null : owner
  }

  /** The member of this id, which may have come just now; null where there is none. Rejects where the database does not answer. */
  async find(id: string): Promise<Member | null> {
    return this.#known(id) ?? (await this.#read(this.#state())).members.find((one) => one.id === id) ?? null
  }

  /** It could not be reached: others serve its tenants for a while. */
  avoid({ id }: Member): void {
    this.#avoidedUntil.set(id, performance.now() + AVOIDED_MS)
  }

  /** Others take over at once. */
  async leave(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    await this.#beating
    await this.#write((members) => members.filter(({ id }) => id !== this.#self.id)).catch(this.#told.failed)
  }

  #schedule(): void {
    if (this.#isOver) return
    this.#timer = setTimeout(() => {
      this.#beating = this.#renewal()
        .catch(this.#told.failed)
        .finally(() => this.#schedule())
    }, this.#times.beat_ms).unref()
  }

  async #renew(): Promise<void> {
    this.#beat++
    const written = await this.#write((members) => {
      const others = members.filter((one) => one.id !== this.#self.id && this.#isThere(one))
      return [...others.slice(1 - MEMBERS_MAX), { ...this.#self, beat: this.#beat }]
    }).catch((error: unknown) => {
      // While the database does not answer nobody can be seen to be there.
      this.#seen.clear()
      throw error
    })
    const before = this.#others
    this.#others = written.filter(({ id }) => id !== this.#self.id)
    for (const one of before) if (!this.#known(one.id)) this.#told.gone(one)
    for (const known of [this.#seen, this.#avoidedUntil])
      for (const id of known.keys()) if (!this.#known(id)) known.delete(id)
  }

  #known(id: string): Member | undefined {
    return this.#others.find((one) => one.id === id)
  }

  #isThere({ id, beat }: Beating): boolean {
    const now = performance.now()
    const seen = this.#seen.get(id)
    if (seen?.beat === beat) return now - seen.at_ms < this.#times.silence_ms
    this.#seen.set(id, { beat, at_ms: now })
    return true
  }

  async #write(change: (members: readonly Beating[]) => readonly Beating[]): Promise<readonly Beating[]> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = this.#state()
      const { members: before, mark } = await this.#read(state)
      const members = change(before)
      if ((await state.put(MEMBERS_KEY, JSON.stringify({ members }), mark)) !== null) return members
    }
    throw new Error('Other processes were faster every time.')
  }

  async #read(state: StateStore): Promise<{ readonly members: readonly Beating[]; readonly mark: string | null }> {
    const entry = await state.get(MEMBERS_KEY)
    return entry
      ? { members: membership.parse(JSON.parse(entry.text)).members, mark: entry.mark }
      : { members: [], mark: null }
  }
}
