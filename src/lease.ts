/**
 * Something that requests use for a while and that is closed when the last of them is done. Reloading the configuration
 * retires a connection this way: requests in flight finish on it, new ones get the next.
 */
export class Lease<T extends { close(): Promise<void> }> {
  readonly value: T
  #users = 0
  #retired: (() => void) | null = null

  constructor(value: T) {
    this.value = value
  }

  enter(): void {
    this.#users++
  }

  leave(): void {
    this.#users--
    if (this.#users === 0) this.#retired?.()
  }

  /** Closes the value as soon as nobody uses it, or after `limit_ms` at the latest. */
  async retire(limit_ms: number): Promise<void> {
    if (this.#users > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limit_ms)
        this.#retired = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await this.value.close()
  }
}
