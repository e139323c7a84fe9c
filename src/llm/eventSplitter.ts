const LF = 10
const CR = 13

export interface StreamLimits {
  /** Of a whole event stream; none by default, since one may live for days. */
  readonly stream_bytes?: number
  /** Of one event in a stream. */
  readonly event_bytes: number
  /** The error to throw. */
  readonly tooLarge: () => Error
}

/** Cuts a stream of server-sent events where an empty line ends one, whatever its line breaks are, and changes no byte of it. */
export class EventSplitter {
  readonly #limits: Required<StreamLimits>
  #parts: Buffer[] = []
  #event_bytes = 0
  #stream_bytes = 0
  #isLineEmpty = true
  /** The last byte was a return, of which a line feed is the second half. */
  #wasReturn = false
  /** An event has ended with a return, and where there is a line feed behind it, that belongs to it. */
  #hasEnded = false

  constructor(limits: StreamLimits) {
    this.#limits = { stream_bytes: Number.POSITIVE_INFINITY, ...limits }
  }

  /** The events that end with this chunk. An empty line that ends none is one by itself. */
  take(chunk: Uint8Array): readonly Buffer[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    this.#stream_bytes += bytes.length
    if (this.#stream_bytes > this.#limits.stream_bytes) throw this.#limits.tooLarge()
    const events: Buffer[] = []
    let start = 0
    const cut = (end: number) => {
      this.#keep(bytes.subarray(start, end))
      events.push(...this.rest())
      start = end
    }
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      const isSecondHalf = byte === LF && this.#wasReturn
      this.#wasReturn = byte === CR
      if (this.#hasEnded) cut(isSecondHalf ? at + 1 : at)
      if (isSecondHalf) continue
      const isBreak = byte === LF || byte === CR
      this.#hasEnded = byte === CR && this.#isLineEmpty
      if (byte === LF && this.#isLineEmpty) cut(at + 1)
      this.#isLineEmpty = isBreak
    }
    this.#keep(bytes.subarray(start))
    return events
  }

  /** What has come of an event whose end has not. */
  rest(): readonly Buffer[] {
    const bytes = Buffer.concat(this.#parts)
    this.#parts = []
    this.#event_bytes = 0
    this.#hasEnded = false
    return bytes.length === 0 ? [] : [bytes]
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#event_bytes += part.length
    if (this.#event_bytes > this.#limits.event_bytes) throw this.#limits.tooLarge()
    this.#parts.push(part)
  }
}
