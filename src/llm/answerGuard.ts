import { setImmediate } from 'node:timers/promises'
import { LIMITS } from '../limits.js'
import { JsonMeter } from './jsonMeter.js'

/**
 * Stands between a body that somebody else sends and whoever decodes it. It throws before anything is handed on that would
 * be too much to hold or to parse.
 */
export interface AnswerGuard {
  /** What of the bytes, and of those held back before, can be handed on: some pieces, each work for a few milliseconds. */
  take(chunk: Uint8Array): readonly Uint8Array[]
  /** What is held back where the body ends. */
  rest(): readonly Uint8Array[]
}

export interface GuardLimits {
  /** Of the whole body. */
  readonly body_bytes: number
  /** The error to throw. */
  readonly tooLarge: () => Error
}

export interface EventGuardLimits extends GuardLimits {
  /** Of one event. */
  readonly event_bytes: number
}

const LF = 10
const CR = 13
// Decoders copy what is left of a piece for each event in it: this bounds the product.
const PIECE_BYTES = 8192
// Who sends byte by byte has thousands of chunks waiting at once.
const CHUNKS_AT_ONCE = 100

/** Guards a body that is decoded as a whole. */
export function bodyGuard({ body_bytes, tooLarge }: GuardLimits): AnswerGuard {
  const json = new JsonMeter(LIMITS.jsonValues.max)
  let size = 0
  return {
    take(chunk) {
      size += chunk.length
      if (size > body_bytes) throw tooLarge()
      for (const byte of chunk) if (!json.take(byte)) throw tooLarge()
      return [chunk]
    },
    rest: () => []
  }
}

/**
 * Guards a stream of server-sent events. Decoders look through an unfinished line, or an unfinished event, again with each
 * piece that comes in: so they are given whole events only, a few at a time, with one kind of line break and no blank lines
 * between them.
 */
export class EventGuard implements AnswerGuard {
  readonly #limits: EventGuardLimits
  readonly #json = new JsonMeter(LIMITS.jsonValues.max)
  #size = 0
  #held = Buffer.allocUnsafe(2 * PIECE_BYTES)
  /** How much is held, and how much of that is whole events. */
  #end = 0
  #whole = 0
  #isLineEmpty = true
  #previous = 0

  constructor(limits: EventGuardLimits) {
    this.#limits = limits
  }

  take(chunk: Uint8Array): readonly Uint8Array[] {
    this.#size += chunk.length
    if (this.#size > this.#limits.body_bytes) throw this.#limits.tooLarge()
    const pieces: Uint8Array[] = []
    for (const byte of chunk) {
      const isSecondHalf = byte === LF && this.#previous === CR
      this.#previous = byte
      if (isSecondHalf) continue
      if (byte === LF || byte === CR) this.#endLine()
      else this.#append(byte)
      if (this.#whole >= PIECE_BYTES) pieces.push(this.#cut())
    }
    if (this.#whole > 0) pieces.push(this.#cut())
    return pieces
  }

  rest(): readonly Uint8Array[] {
    this.#whole = this.#end
    return this.#end === 0 ? [] : [this.#cut()]
  }

  #append(byte: number): void {
    if (this.#end - this.#whole >= this.#limits.event_bytes || !this.#json.take(byte)) throw this.#limits.tooLarge()
    if (this.#end === this.#held.length) this.#held = Buffer.concat([this.#held], 2 * this.#end)
    this.#held[this.#end++] = byte
    this.#isLineEmpty = false
  }

  #endLine(): void {
    if (this.#end === this.#whole) return
    const endsEvent = this.#isLineEmpty
    this.#append(LF)
    this.#isLineEmpty = true
    if (!endsEvent) return
    this.#whole = this.#end
    this.#json.reset()
  }

  /** Takes out the whole events. */
  #cut(): Uint8Array {
    const piece = Uint8Array.prototype.slice.call(this.#held, 0, this.#whole)
    this.#held.copyWithin(0, this.#whole, this.#end)
    this.#end -= this.#whole
    this.#whole = 0
    return piece
  }
}

/** Reads a body through a guard. Others have their turn after each piece, and now and then where there is none. */
export async function* guarded(
  chunks: AsyncIterable<Uint8Array>,
  guard: AnswerGuard
): AsyncGenerator<Uint8Array, void, undefined> {
  let taken = 0
  for await (const chunk of chunks) {
    taken += 1
    if (taken % CHUNKS_AT_ONCE === 0) await setImmediate()
    for (const piece of guard.take(chunk)) {
      yield piece
      await setImmediate()
    }
  }
  yield* guard.rest()
}
