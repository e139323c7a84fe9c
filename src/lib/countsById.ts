/** How many there are under each of some ids, or how much. */
export class CountsById {
  readonly #counts = new Map<string, number>()

  of(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** Counts one more under each of these ids; returns what takes it off again, which is to be called once. */
  add(...ids: readonly string[]): () => void {
    for (const id of ids) this.addAmount(id, 1)
    return () => {
      for (const id of ids) this.addAmount(id, -1)
    }
  }

  /** Adds to what is under an id; less than nothing takes it off. */
  addAmount(id: string, amount: number): void {
    const now = this.of(id) + amount
    if (now > 0) this.#counts.set(id, now)
    else this.#counts.delete(id)
  }
}
