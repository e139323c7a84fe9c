import type { Storage } from '../storage/storage.js'
import type { Head } from './event.js'
import { type Testimony, TRUST_MS, type WitnessStore, witnessOf } from './witness.js'

const SECOND_MS = 1000

/** When a witness is worth its trouble, and how often the head is looked at beside it. */
export interface Pace {
  /** So many looks at the head within so long are worth a witness. */
  readonly looks: number
  readonly within_ms: number
  /** So long after a look there is another beside those who ask. */
  readonly due_ms: number
}

/** Where a look takes a moment and nothing else. */
export const QUICK: Pace = { looks: 20, within_ms: SECOND_MS, due_ms: TRUST_MS / 3 }
/** Where each look is paid for: a witness costs about as much as three of them, once. */
export const THRIFTY: Pace = { looks: 4, within_ms: TRUST_MS, due_ms: TRUST_MS / 2 }

/** How long after an attempt to name a witness there is no other. */
const REST_MS = 1000

/** A look at the head that has begun. */
export interface Look {
  readonly since: number
  /** What a witness had said the time of its store was before. */
  readonly told: Told | null
}

interface Told {
  readonly witness: string
  readonly time: number
}

interface Trust {
  readonly witness: string
  /** The last moment at which the head is known to have named it. */
  readonly since: number
}

/**
 * Shows by the word of a witness that a head is still that of the log, without asking the database. It believes the witness that the
 * last looks at the head have found there, and only for a while; where the log is often asked about and has none, it names one.
 */
export class Proof {
  readonly #storage: Pick<Storage, 'commit'>
  readonly #store: () => WitnessStore | null
  readonly #now: () => number
  readonly #pace: Pace
  #trust: Trust | null = null
  #told: Told | null = null
  /** Who is known to be gone for good. */
  #gone: string | null = null
  /** A witness that was told of more than the log has, and since when. */
  #ahead: { readonly witness: string; readonly highest: number; readonly since: number } | null = null
  #looks = { count: 0, since: Number.NEGATIVE_INFINITY }
  #resting = Number.NEGATIVE_INFINITY

  /** `storage` is where witnesses are named, `store` where they are; null where there is none. `now` is a clock that nobody sets. */
  constructor(
    storage: Pick<Storage, 'commit'>,
    store: () => WitnessStore | null,
    now: () => number = () => performance.now(),
    pace: Pace = QUICK
  ) {
    this.#storage = storage
    this.#store = store
    this.#now = now
    this.#pace = pace
  }

  /** Resolves to true when the log ended at this head at some moment after the call; false says nothing. */
  async proves({ position }: Head): Promise<boolean> {
    const store = this.#store()
    const known = this.#trust
    if (!store || !known || this.#isOver(known)) return false
    const { witness } = known
    const said = await store.ask(witness).catch(() => 'elsewhere' as const)
    const trust = this.#trust
    if (trust?.witness !== witness) return false
    if (said === 'elsewhere') return false
    if (said === 'gone') {
      this.#gone = witness
      this.#trust = null
      return false
    }
    this.#note(witness, said, position)
    return said.highest <= position && !this.#isOver(trust)
  }

  #isOver({ since }: Trust): boolean {
    return this.#now() >= since + TRUST_MS
  }

  /** True where the head is to be looked at again, though there is no need yet. */
  get isDue(): boolean {
    return this.#trust !== null && this.#now() > this.#trust.since + this.#pace.due_ms
  }

  /** A look at the head begins. */
  look(): Look {
    return { since: this.#now(), told: this.#told }
  }

  /** What a look at the head has found, once it is believed. */
  saw(head: Head, { since, told }: Look): void {
    const store = this.#store()
    if (!store) return
    const witness = witnessOf(head)
    const isGone = witness !== null && witness === this.#gone
    if (witness === null || isGone) {
      this.#trust = null
      if (head.witness === undefined || isGone) this.#miss(store, head)
      return
    }
    const known = this.#trust?.witness === witness ? this.#trust.since : since
    this.#trust = { witness, since: Math.max(known, since) }
    if (told?.witness === witness) void store.extend(witness, told.time + TRUST_MS).catch(() => {})
    this.#restart(store, head, witness)
  }

  /** A look at the head has failed: nothing is believed until another one shows what to believe. */
  forget(): void {
    this.#trust = null
  }

  #note(witness: string, { highest, time }: Testimony, position: number): void {
    this.#told = { witness, time }
    if (highest <= position) this.#ahead = null
    else if (this.#ahead?.witness !== witness || this.#ahead.highest !== highest)
      this.#ahead = { witness, highest, since: this.#now() }
  }

  /** A witness that was told of what was never committed proves nothing more: after a while it makes room for another. */
  #restart(store: WitnessStore, { position }: Head, witness: string): void {
    const ahead = this.#ahead
    if (ahead?.witness !== witness || ahead.highest <= position || this.#now() < ahead.since + SECOND_MS) return
    this.#ahead = null
    void store.end(witness).catch(() => {})
  }

  #miss(store: WitnessStore, head: Head): void {
    const now = this.#now()
    if (now > this.#looks.since + this.#pace.within_ms) this.#looks = { count: 0, since: now }
    this.#looks.count++
    if (this.#looks.count < this.#pace.looks || now < this.#resting) return
    this.#resting = now + REST_MS
    void this.#name(store, head).catch(() => {})
  }

  async #name(store: WitnessStore, head: Head): Promise<void> {
    const witness = await store.begin(head.position)
    if (witness === null) return
    const outcome = await this.#storage.commit({ after: head, events: [], ops: [], head: { ...head, witness } })
    if (outcome === 'stale') await store.end(witness)
  }
}
