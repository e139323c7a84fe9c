import { setImmediate } from 'node:timers/promises'

const ENOUGH_MS = 10

/** A stretch of work that lets others have their turn when it has lasted: small things go on without a pause. */
export class Turn {
  #begun = performance.now()

  /** Comes back at once, or when everything else that waits has had its turn. */
  async rest(): Promise<void> {
    if (performance.now() - this.#begun < ENOUGH_MS) return
    await setImmediate()
    this.#begun = performance.now()
  }
}
