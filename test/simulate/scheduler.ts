/** Whose steps they are: a hub's process, the database's, or everybody else's. */
export interface Owner {
  readonly name: string
  /** Nothing that a dead process has waited for comes about any more. */
  isDead: boolean
  /** A process that is stopped goes on then. */
  pausedUntil_ms: number
  /** How far its clock is ahead. */
  skew_ms: number
  /** What is done to it before so many more of its steps. */
  fate: { stepsLeft: number; readonly run: () => void } | null
}

export function ownerOf(name: string): Owner {
  return { name, isDead: false, pausedUntil_ms: 0, skew_ms: 0, fate: null }
}

/** Something that will be done; `isCancelled` may be set until then. */
export interface Step {
  readonly owner: Owner
  readonly name: string
  due_ms: number
  readonly order: number
  readonly run: () => void
  /** True for a turn of the event loop: it comes about in a dead process too, since what waits for it may be the turn of others. */
  readonly isTurn: boolean
  isCancelled: boolean
}

/** Times are multiples of this, so that sums and differences of them are exact. */
const TICK_MS = 1 / 64
/** Between two runs of one process: what was due in the one is long over in the next. */
const BETWEEN_RUNS_MS = 2 ** 22
let begin_ms = 2 ** 30

/**
 * A clock and what is to be done by it: one step after another, in the order of their times, and the clock stands still while one is
 * done. Everything that a process begins in a step is the step's owner's.
 */
export class Scheduler {
  readonly begun_ms = begin_ms
  readonly #trace: ((line: string) => void) | null
  /** The next stands last. */
  readonly #planned: Step[] = []
  #order = 0
  now_ms = begin_ms
  owner: Owner = ownerOf('nobody')
  steps = 0

  /** `trace` is told of every step. */
  constructor(trace: ((line: string) => void) | null) {
    this.#trace = trace
  }

  /** Since the run began. */
  get elapsed_ms(): number {
    return this.now_ms - this.begun_ms
  }

  /** Plans a step. */
  at(owner: Owner, delay_ms: number, name: string, run: () => void, isTurn = false): Step {
    const due_ms = this.now_ms + Math.max(0, Math.round(delay_ms / TICK_MS) * TICK_MS)
    const step = { owner, name, due_ms, order: this.#order++, run, isTurn, isCancelled: false }
    plan(this.#planned, step)
    return step
  }

  /** Does what is next; false where nothing is. */
  step(): boolean {
    const step = this.#planned.pop()
    if (!step) return false
    const { owner, name, run, isTurn } = step
    if (step.isCancelled || (owner.isDead && !isTurn)) return true
    if (owner.pausedUntil_ms > step.due_ms) {
      step.due_ms = owner.pausedUntil_ms
      plan(this.#planned, step)
      return true
    }
    this.now_ms = step.due_ms
    this.owner = owner
    this.steps++
    if (owner.fate && owner.fate.stepsLeft-- === 0) {
      const { run: befall } = owner.fate
      owner.fate = null
      befall()
      if (owner.isDead && !isTurn) return true
    }
    this.#trace?.(`${this.elapsed_ms} ${owner.name} ${name}`)
    run()
    return true
  }

  /** Ends the run: turns of the event loop still come, and nothing else. */
  end(): void {
    for (const step of this.#planned) if (!step.isTurn) step.isCancelled = true
    begin_ms = this.now_ms + BETWEEN_RUNS_MS
  }
}

/** Puts a step among others, of which the next stands last. */
function plan(steps: Step[], step: Step): void {
  let at = steps.length
  while (at > 0 && isBefore(steps[at - 1], step)) at--
  steps.splice(at, 0, step)
}

function isBefore(one: Step | undefined, other: Step): boolean {
  return one !== undefined && (one.due_ms < other.due_ms || (one.due_ms === other.due_ms && one.order < other.order))
}
