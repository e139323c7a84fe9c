import { erasureEvents } from '../../commands/erasure/events.js'
import { codec } from '../../commands/index.js'
import { sha256 } from '../log/chain.js'
import type { StoredEvent } from '../log/event.js'

/** The payload that says nothing. */
export const EMPTIED = '{}'

/**
 * Remembers what a walk over the log has found erased until an event tells that it was. What no event tells of was taken
 * out by somebody who had no business to.
 */
export class UntoldErasures {
  readonly #payloads = new Map<number, string | null>()
  /** Names by the account that acted. */
  readonly #names = new Map<number, string>()

  /** Takes in the next event of the walk. */
  see(event: StoredEvent): void {
    const { position, actorId, payload, who } = event
    if (payload.salt === null) this.#payloads.set(position, payload.text)
    if (who.salt === null) this.#names.set(position, actorId)
    if (payload.text !== null) this.#tell(event.type, event.schema, payload.text)
  }

  /** The first position of which something is gone that no event tells; null where there is none. */
  get first(): number | null {
    const positions = [...this.#payloads.keys(), ...this.#names.keys()]
    return positions.length === 0 ? null : positions.reduce((a, b) => Math.min(a, b))
  }

  #tell(type: string, schema: number, text: string): void {
    if (type === 'PayloadsErased') {
      const { positions } = erasureEvents.PayloadsErased.data.parse(codec.decode(type, schema, text))
      for (const position of positions) {
        const left = this.#payloads.get(position)
        if (left === null || left === EMPTIED) this.#payloads.delete(position)
      }
    } else if (type === 'NamesErased') {
      const { actorId, after, through } = erasureEvents.NamesErased.data.parse(codec.decode(type, schema, text))
      for (const [position, by] of this.#names) {
        const isMeant = position > after && position <= through && (actorId === null || by === actorId)
        if (isMeant) this.#names.delete(position)
      }
    } else if (type === 'ValueErased') {
      const { position, left } = erasureEvents.ValueErased.data.parse(codec.decode(type, schema, text))
      const found = this.#payloads.get(position)
      if (typeof found === 'string' && sha256(found) === left) this.#payloads.delete(position)
    }
  }
}
