import { codec } from '../../../commands/index.js'
import { erasureEvents } from '../../../commands/log/erasure/events.js'
import { sha256 } from '../../log/chain.js'
import type { StoredEvent } from '../../log/event.js'

/** The payload that says nothing. */
export const EMPTIED = '{}'

/** A payload that is gone, and a deletion that was emptied: what `PayloadsErased` leaves of an event. Else the sha256 of what is left. */
const GONE = 'gone'
const EMPTIED_DELETION = 'emptied'

/**
 * What an erasure leaves of a payload. A deletion can have taken something from other records, which a replay must take too: it
 * stays, but says nothing.
 */
export function leftOf({ type }: Pick<StoredEvent, 'type'>): string | null {
  return type.endsWith('Deleted') ? EMPTIED : null
}

/**
 * Remembers what a walk over the log has found erased until an event tells that it was. What no event tells of was taken
 * out by somebody who had no business to.
 */
export class UntoldErasures {
  readonly #payloads = new Map<number, string>()
  /** Positions, ascending, by the account that acted. */
  readonly #names = new Map<string, number[]>()

  /** Takes in the next event of the walk, whose texts are those that were sealed or have no salt. Throws where it tells nothing that can be read. */
  see(event: StoredEvent): void {
    const { position, actorId, payload, who } = event
    if (payload.salt === null) this.#payloads.set(position, left(event))
    if (who.salt === null) this.#namesOf(actorId).push(position)
    if (payload.text !== null && payload.salt !== null) this.#tell(event.type, event.schema, payload.text)
  }

  /** The first position of which something is gone that no event tells; null where there is none. */
  get first(): number | null {
    let first: number | null = null
    const consider = (position: number) => {
      if (first === null || position < first) first = position
    }
    for (const position of this.#payloads.keys()) consider(position)
    for (const [position] of this.#names.values()) if (position !== undefined) consider(position)
    return first
  }

  #tell(type: string, schema: number, text: string): void {
    if (type === 'PayloadsErased') {
      const { positions } = erasureEvents.PayloadsErased.data.parse(codec.decode(type, schema, text))
      for (const position of positions) {
        const found = this.#payloads.get(position)
        if (found === GONE || found === EMPTIED_DELETION) this.#payloads.delete(position)
      }
    } else if (type === 'NamesErased') {
      const told = erasureEvents.NamesErased.data.parse(codec.decode(type, schema, text))
      const accounts = told.actorId === null ? [...this.#names.keys()] : [told.actorId]
      for (const id of accounts) this.#forget(id, told.afterPosition, told.throughPosition)
    } else if (type === 'ValueErased') {
      const told = erasureEvents.ValueErased.data.parse(codec.decode(type, schema, text))
      if (this.#payloads.get(told.position) === told.remainingHash) this.#payloads.delete(told.position)
    }
  }

  /** Takes away the positions above `after` up to `through`, which stand together. */
  #forget(actorId: string, after: number, through: number): void {
    const positions = this.#names.get(actorId)
    if (!positions) return
    const from = countUpTo(positions, after)
    positions.splice(from, countUpTo(positions, through) - from)
    if (positions.length === 0) this.#names.delete(actorId)
  }

  #namesOf(actorId: string): number[] {
    const positions = this.#names.get(actorId) ?? []
    this.#names.set(actorId, positions)
    return positions
  }
}

function left(event: StoredEvent): string {
  const { text } = event.payload
  if (text === leftOf(event)) return text === null ? GONE : EMPTIED_DELETION
  return text === null ? '' : sha256(text)
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((numbers[middle] ?? 0) <= limit) from = middle + 1
    else to = middle
  }
  return from
}
