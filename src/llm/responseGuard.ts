import { setImmediate } from 'node:timers/promises'
import { JsonMeter } from './jsonMeter.js'

/**
 * Stands between a body that somebody else sends and whoever decodes it. It throws before anything is handed on that would
 * be too much to hold or to parse.
 */
export interface ResponseGuard {
  /** What of the bytes, and of those held back before, can be handed on: some pieces, each work for a few milliseconds. */
  take(chunk: Uint8Array): readonly Uint8Array[]
  /** What is held back where the body ends. */
  rest(): readonly Uint8Array[]
}

export interface GuardLimits {
  /** Of a body that is no event stream. */
  readonly body_bytes: number
  /** Of a whole event stream; none by default, since one may live for days. */
  readonly stream_bytes?: number
  /** Of one event in a stream. */
  readonly event_bytes: number
  /** The error to throw. */
  readonly tooLarge: () => Error
}

const LF = 10
const CR = 13
const DATA = Buffer.from('data:')
// Decoders copy what is left of a piece for each event in it: this bounds the product.
const PIECE_BYTES = 8192
// Who sends byte by byte has thousands of chunks waiting at once.
const CHUNKS_AT_ONCE = 100

export const EVENT_STREAM = 'text/event-stream'

/** The guard for a body that is decoded as one of this media type. */
export function guardFor(mediaType: string | null | undefined, limits: GuardLimits): ResponseGuard {
  return mediaType?.trim().toLowerCase().startsWith(EVENT_STREAM) ? new EventGuard(limits) : bodyGuard(limits)
}

/** Guards a body that is decoded as a whole. */
export function bodyGuard({ body_bytes, tooLarge }: Omit<GuardLimits, 'event_bytes'>): ResponseGuard {
  const json = new JsonMeter()
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
export class EventGuard implements ResponseGuard {
  readonly #limits: Omit<GuardLimits, 'body_bytes'>
  /** What the lines of data of an event are together, and any other line by itself: a comment takes nothing back. */
  #data = new JsonMeter()
  #other = new JsonMeter()
  #size = 0
  #held = Buffer.allocUnsafe(2 * PIECE_BYTES)
  /** How much is held, and how much of that is whole events. */
  #end = 0
  #whole = 0
  /** Where in its line the next byte stands, and whether the line may be one of data. */
  #column = 0
  #isData = true
  #previous = 0

  constructor(limits: Omit<GuardLimits, 'body_bytes'>) {
    this.#limits = limits
  }

  take(chunk: Uint8Array): readonly Uint8Array[] {
    this.#size += chunk.length
    if (this.#size > (this.#limits.stream_bytes ?? Number.POSITIVE_INFINITY)) throw this.#limits.tooLarge()
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
    if (this.#column < DATA.length) this.#isData &&= byte === DATA[this.#column]
    if (this.#column === 0) this.#other = new JsonMeter()
    const meter = this.#isData ? this.#data : this.#other
    if (this.#end - this.#whole >= this.#limits.event_bytes || !meter.take(byte)) throw this.#limits.tooLarge()
    if (this.#end === this.#held.length) this.#held = Buffer.concat([this.#held], 2 * this.#end)
    this.#held[this.#end++] = byte
    this.#column += 1
  }

  #endLine(): void {
    if (this.#end === this.#whole) return
    const endsEvent = this.#column === 0
    this.#append(LF)
    this.#column = 0
    this.#isData = true
    if (!endsEvent) return
    this.#whole = this.#end
    this.#data = new JsonMeter()
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

/** Who has to do with a body that is read through a guard. */
export interface GuardedBodyOptions {
  /** Ends what is sent, where it is of no use any more. */
  readonly stop: () => void
  /** Told once that the body is over, with the error where it broke off. */
  readonly onEnd?: (error: Error | null) => void
}

/** A body, read through a guard. Others have their turn after each piece, and now and then where there is none. */
export function guardedBody(
  body: AsyncIterable<Uint8Array>,
  guard: ResponseGuard,
  { stop, onEnd }: GuardedBodyOptions
): ReadableStream<Uint8Array> {
  const pieces = guarded(body, guard)
  let isOver = false
  const end = (error: Error | null) => {
    if (!isOver) onEnd?.(error)
    isOver = true
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (isOver) return
        if (!done) return controller.enqueue(value)
        controller.close()
        end(null)
      } catch (error) {
        stop()
        end(error instanceof Error ? error : new Error(String(error)))
        throw error
      }
    },
    cancel() {
      end(null)
      stop()
    }
  })
}

async function* guarded(chunks: AsyncIterable<Uint8Array>, guard: ResponseGuard): AsyncGenerator<Uint8Array, void> {
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
