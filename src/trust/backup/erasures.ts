import { randomUUID } from 'node:crypto'
import { emitErasure } from '../../../commands/log/erasure/events.js'
import { canonicalJson } from '../../log/canonical.js'
import type { NewEvent, Sealed, StoredEvent } from '../../log/event.js'
import { erasureIn, type LoggedErasure, leftOf } from '../audit/erased.js'
import { withoutValue } from '../erasure/pointer.js'

/**
 * What the log of a backup says was erased. A file may be older than an erasure that a later one tells of, or have been written
 * while it was carried out: what it holds nevertheless is taken out again, so that it does not come back.
 */
export class LoggedErasures {
  readonly #logged: { readonly position: number; readonly told: LoggedErasure }[] = []
  readonly #payloads = new Set<number>()
  /** The paths of values, by position, in the order in which they were taken out. */
  readonly #values = new Map<number, string[]>()
  readonly #names = new Set<string>()
  readonly #ranges: { readonly actorId: string | null; readonly after: number; readonly through: number }[] = []

  /** Takes in an event of the log. Throws where it tells of an erasure and cannot be read. */
  see(event: StoredEvent): void {
    const told = erasureIn(event)
    if (!told) return
    this.#logged.push({ position: event.position, told })
    if (told.type === 'PayloadsErased') for (const position of told.data.positions) this.#payloads.add(position)
    else if (told.type === 'ValueErased') {
      const { position, path } = told.data
      this.#values.set(position, [...(this.#values.get(position) ?? []), path])
    } else {
      const { actorId, afterPosition: after, throughPosition: through } = told.data
      if (actorId !== null && through === after + 1) this.#names.add(`${actorId} ${through}`)
      else this.#ranges.push({ actorId, after, through })
    }
  }

  /** True where the log tells of no erasure. */
  get isEmpty(): boolean {
    return this.#logged.length === 0
  }

  /** The event without what was erased of it. */
  applied(event: StoredEvent): StoredEvent {
    const payload = this.#payloadOf(event)
    const who = this.#isNameless(event) ? emptied(event.who, null) : event.who
    return payload === event.payload && who === event.who ? event : { ...event, payload, who }
  }

  /**
   * Events that tell again, at the end of a log that is cut off at a position, what events behind it have told about those up
   * to it.
   */
  eventsBehind(position: number): readonly NewEvent[] {
    return this.#logged.flatMap(({ position: at, told }) => (at > position ? again(told, position) : []))
  }

  #payloadOf(event: StoredEvent): Sealed {
    const { position, payload } = event
    if (this.#payloads.has(position)) {
      const left = leftOf(event)
      // One value of it may have been taken out before: then it has no salt any more, and says the rest.
      return payload.salt === null && payload.text === left ? payload : emptied(payload, left)
    }
    const paths = this.#values.get(position)
    if (!paths || payload.text === null) return payload
    let data: unknown = JSON.parse(payload.text)
    // The same as when it was taken out first.
    for (const path of paths) data = withoutValue(data, path)
    return emptied(payload, canonicalJson(data))
  }

  #isNameless({ actorId, position, who }: StoredEvent): boolean {
    if (who.salt === null) return false
    if (this.#names.has(`${actorId} ${position}`)) return true
    return this.#ranges.some(
      (range) =>
        (range.actorId === null || range.actorId === actorId) && position > range.after && position <= range.through
    )
  }
}

function emptied({ commitment }: Sealed, text: string | null): Sealed {
  return { text, salt: null, commitment }
}

function again({ type, data }: LoggedErasure, end: number): readonly NewEvent[] {
  const id = randomUUID()
  if (type === 'PayloadsErased') {
    const positions = data.positions.filter((position) => position <= end)
    const undone = data.undone?.filter(({ by }) => by <= end)
    return positions.length > 0 ? [emitErasure(id, type, { ...data, positions, ...(undone && { undone }) })] : []
  }
  if (type === 'ValueErased') return data.position <= end ? [emitErasure(id, type, data)] : []
  const throughPosition = Math.min(data.throughPosition, end)
  return data.afterPosition < throughPosition ? [emitErasure(id, type, { ...data, throughPosition })] : []
}
