import type { EventHeader } from '../log/event.js'

/** The newest of all events that it is given, so many at most, from the newest on. */
export class NewestEvents {
  readonly #limit: number
  #from: number | null = null
  #events: readonly EventHeader[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get events(): readonly EventHeader[] {
    return this.#events
  }

  /** Events before this position are left out, however few there are; null where none are. */
  get from(): number | null {
    return this.#from
  }

  /** Only events after this position can be among them. */
  get floor(): number {
    const last = this.#events.length < this.#limit ? undefined : this.#events.at(-1)
    return last ? last.position : (this.#from ?? 1) - 1
  }

  add(found: readonly EventHeader[]): void {
    const all = [...this.#events, ...found].sort((a, b) => b.position - a.position)
    this.#events = all.slice(0, this.#limit)
  }

  /** Leaves out those before a position. */
  cut(from: number): void {
    this.#from = from
    this.#events = this.#events.filter(({ position }) => position >= from)
  }
}
