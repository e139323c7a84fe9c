import type { Discussed } from '../../commands/talk/comment/events.js'

/** The things that can be discussed, of those that are taken over, each with the collection that opens it. */
export class Places {
  readonly #collections = new Map<string, string | null>()

  add(kind: Discussed['kind'], id: string, collectionId: string | null): void {
    this.#collections.set(`${kind} ${id}`, collectionId)
  }

  /** The collection that a thing is in; null for one that is in none, undefined for one that is not taken over. */
  of({ kind, id }: Discussed): string | null | undefined {
    return this.#collections.get(`${kind} ${id}`)
  }
}
