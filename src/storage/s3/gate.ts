/**
 * Spares everybody the wait for what gave no sign of life a moment ago: after such a failure all are refused with it at once, until
 * one who comes later has found an answer.
 */
export class Gate {
  readonly #isSilence: (error: unknown) => boolean
  readonly #rest_ms: number
  #shut: { readonly why: unknown; readonly until_ms: number } | null = null
  #isTrying = false

  constructor(isSilence: (error: unknown) => boolean, rest_ms: number) {
    this.#isSilence = isSilence
    this.#rest_ms = rest_ms
  }

  /** Does the work, or throws what failed before where it is too early to try again. */
  async through<T>(work: () => Promise<T>): Promise<T> {
    const shut = this.#shut
    if (shut && (this.#isTrying || performance.now() < shut.until_ms)) throw shut.why
    if (shut) this.#isTrying = true
    try {
      const done = await work()
      this.#shut = null
      return done
    } catch (error) {
      this.#shut = this.#isSilence(error) ? { why: error, until_ms: performance.now() + this.#rest_ms } : null
      throw error
    } finally {
      if (shut) this.#isTrying = false
    }
  }
}
