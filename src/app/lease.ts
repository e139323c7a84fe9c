/**
 * Something that requests use for a while and that is closed when the last of them is done. Reloading the configuration
 * retires a connection this way: requests in flight finish on it, new ones get the next.
 */
export class Lease<T extends { close(): Promise<void> }> {
  readonly value: T
  #users = 0
  #retired: (() => void) | null = null
  #closed: Promise<void> | null = null

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
   * so once. Whoever calls it again waits for the same end.
   */
  retire(limit_ms: number, overdue: () => void): Promise<void> {
    this.#closed ??= this.#close(limit_ms, overdue)
    return this.#closed
  }

  async #close(limit_ms: number, overdue: () => void): Promise<void> {
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
