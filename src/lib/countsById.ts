/** How many there are under each of some ids. */
export class CountsById {
  readonly #counts = new Map<string, number>()

  of(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** Counts one more under each of these ids; returns what takes it off again, which is to be called once. */
  add(...ids: readonly string[]): () => void {
    for (const id of ids) this.#counts.set(id, this.of(id) + 1)
    return () => {
      for (const id of ids)
        if (this.of(id) > 1) this.#counts.set(id, this.of(id) - 1)
        else this.#counts.delete(id)
    }
  }
}
