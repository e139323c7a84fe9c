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

  /**
   * Closes the value as soon as nobody uses it, and never before. Where that takes longer than `limit_ms`, `overdue` is told
   * so once.
   */
  async retire(limit_ms: number, overdue: () => void): Promise<void> {
    if (this.#users > 0) {
      const timer = setTimeout(overdue, limit_ms)
      timer.unref()
      await new Promise<void>((resolve) => {
        this.#retired = resolve
      })
      clearTimeout(timer)
    }
    await this.value.close()
  }
}
