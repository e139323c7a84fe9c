import type { Random } from './random.js'

/** What can go wrong, each by itself. */
export const FAULTS = [
  /** A question never reaches the database, and whoever asks learns that the connection is gone. */
  'unsent',
  /** It has, and the answer is lost. */
  'unanswered',
  /** Whoever asks is told that the connection is gone, and what was asked is done later. */
  'overdue',
  /** An answer takes long. */
  'late',
  /** All connections of a hub break. */
  'torn',
  /** The database is not there for a while. */
  'away',
  /** Nothing can be written for a while. */
  'full',
  /** A hub is killed and started again. */
  'killed',
  /** A hub stands still for a while. */
  'paused',
  /** The clock of a hub jumps. */
  'clock',
  /** The throttle store does not answer. */
  'unthrottled'
] as const
export type Fault = (typeof FAULTS)[number]
/** What happens to single questions, and not to hubs or the database. */
type QuestionFault = Extract<Fault, 'unsent' | 'unanswered' | 'overdue' | 'late' | 'unthrottled'>

const LATE_MAX_MS = 3000

/** What goes wrong in a run: which kinds, and how often, is drawn once; each time counts. */
export class Faults {
  readonly #random: Random
  readonly #delay_ms: number
  readonly #probability: number
  readonly kinds: ReadonlySet<Fault>
  readonly counts: Record<Fault, number>
  /** False once everything goes well. */
  isOn = true

  constructor(random: Random) {
    this.#random = random
    // A run in which only some things go wrong reaches states that one with all of them does not.
    this.kinds = new Set(FAULTS.filter(() => random.chance(0.4)))
    this.#probability = random.pick([0.005, 0.02, 0.08])
    this.#delay_ms = random.pick([2, 20, 100])
    this.counts = Object.fromEntries(FAULTS.map((kind) => [kind, 0])) as Record<Fault, number>
  }

  /** How long a message takes. */
  delay(): number {
    return this.#random.next() ** 4 * this.#delay_ms
  }

  /** How long an answer takes, or what was asked where nobody waits for it any more. */
  lateDelay(): number {
    return this.#random.next() ** 3 * LATE_MAX_MS
  }

  /** True where this happens now. */
  happens(kind: QuestionFault): boolean {
    return this.isOn && this.kinds.has(kind) && this.#random.chance(this.#probability) && this.count(kind)
  }

  count(kind: Fault): true {
    this.counts[kind]++
    return true
  }
}
