import type { Turns } from '../storage/storage.js'

/** So long after another process was faster this one goes on taking turns. */
const CONTENDED_MS = 10_000
/** So long a turn is kept though nothing is to be written. */
const LINGER_MS = 2
/** So long somebody decides and commits before others have their turn. */
const TURN_MS = 25

/**
 * When a writer has its turn, where several processes write to one log. One that writes alone takes none; one that another process
 * has overtaken takes turns from then on for a while. A turn makes nothing right that would be wrong without it: it only keeps
 * processes from deciding what another one's commit makes stale.
 */
export class WriterTurn {
  readonly #turns: Turns | null
  #contendedUntil = 0
  #until = 0
  #giveBack: (() => void) | null = null
  #lingering: NodeJS.Timeout | undefined

  constructor(turns: Turns | null) {
    this.#turns = turns
  }

  /** Another process was faster. */
  overtaken(): void {
    this.#contendedUntil = performance.now() + CONTENDED_MS
  }

  /** True where somebody else is to write before anything else is decided here. */
  get isOver(): boolean {
    return this.#giveBack !== null && performance.now() >= this.#until
  }

  /** Waits for a turn where others write too. True where one was taken just now: the log may have grown meanwhile. */
  async begin(): Promise<boolean> {
    clearTimeout(this.#lingering)
    if (this.#giveBack || !this.#turns || performance.now() >= this.#contendedUntil) return false
    this.#giveBack = await this.#turns.take()
    this.#until = performance.now() + TURN_MS
    return this.#giveBack !== null
  }

  end(): void {
    clearTimeout(this.#lingering)
    this.#giveBack?.()
    this.#giveBack = null
  }

  /** Nothing waits to be written: who has just been answered has a moment to come again before others have their turn. */
  pause(): void {
    if (this.#giveBack) this.#lingering = setTimeout(() => this.end(), LINGER_MS)
  }
}
