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

/** What an event tells that was erased. */
export type LoggedErasure =
  | { readonly type: 'PayloadsErased'; readonly data: ReturnType<typeof erasureEvents.PayloadsErased.data.parse> }
  | { readonly type: 'NamesErased'; readonly data: ReturnType<typeof erasureEvents.NamesErased.data.parse> }
  | { readonly type: 'ValueErased'; readonly data: ReturnType<typeof erasureEvents.ValueErased.data.parse> }

/** What an event tells of an erasure; null where it tells of none. Throws where it does and cannot be read. */
export function erasureIn({ type, schema, payload }: StoredEvent): LoggedErasure | null {
  if (payload.text === null) return null
  const data = () => codec.decode(type, schema, payload.text ?? '')
  if (type === 'PayloadsErased') return { type, data: erasureEvents.PayloadsErased.data.parse(data()) }
  if (type === 'NamesErased') return { type, data: erasureEvents.NamesErased.data.parse(data()) }
  if (type === 'ValueErased') return { type, data: erasureEvents.ValueErased.data.parse(data()) }
  return null
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
    if (payload.salt !== null) this.#take(event)
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

  #take(event: StoredEvent): void {
    const told = erasureIn(event)
    if (told?.type === 'PayloadsErased') {
      for (const position of told.data.positions) {
        const found = this.#payloads.get(position)
        if (found === GONE || found === EMPTIED_DELETION) this.#payloads.delete(position)
      }
    } else if (told?.type === 'NamesErased') {
      const { actorId, afterPosition, throughPosition } = told.data
      const accounts = actorId === null ? [...this.#names.keys()] : [actorId]
      for (const id of accounts) this.#forget(id, afterPosition, throughPosition)
    } else if (told) {
      const { position, remainingHash } = told.data
      if (this.#payloads.get(position) === remainingHash) this.#payloads.delete(position)
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
