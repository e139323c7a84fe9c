import { TransformStream } from 'node:stream/web'
import { excessOfJson } from '../lib/jsonScan.js'
import { giveWay } from '../lib/turns.js'
import { LIMITS } from '../limits.js'

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

// Decoders copy what is left of a piece for each event in it: this bounds the product.
const PIECE_BYTES = 8192

export const EVENT_STREAM = 'text/event-stream'

/**
 * What a body is sent through that somebody else sends, and that is decoded as one of this media type. It fails before anything is
 * handed on that would be too much to hold or to parse: a megabyte of brackets takes a parser a hundred times as long as a megabyte
 * of text. What is decoded as a whole is held until it is one. Others have their turn now and then.
 */
export function guardStream(mediaType: string | null, limits: GuardLimits): TransformStream<Uint8Array, Uint8Array> {
  const isStream = mediaType?.trim().toLowerCase().startsWith(EVENT_STREAM)
  const guard = isStream ? eventGuard(limits) : bodyGuard(limits)
  return new TransformStream({
    async transform(chunk, controller) {
      // Who sends byte by byte has thousands of chunks waiting at once.
      await giveWay()
      for (const piece of guard.take(chunk)) {
        controller.enqueue(piece)
        await giveWay()
      }
    },
    flush(controller) {
      for (const piece of guard.rest()) controller.enqueue(piece)
    }
  })
}

/** Guards a body that is decoded as a whole. */
export function bodyGuard({ body_bytes, tooLarge }: GuardLimits) {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    take(chunk: Uint8Array): readonly Uint8Array[] {
      size += chunk.length
      if (size > body_bytes) throw tooLarge()
      chunks.push(chunk)
      return []
    },
    rest(): readonly Uint8Array[] {
      const body = Buffer.concat(chunks)
      if (excessOfJson(body, LIMITS.jsonValues.max)) throw tooLarge()
      return [body]
    }
  }
}

/**
 * Guards a stream of server-sent events. Decoders look through an unfinished line, or an unfinished event, again with each
 * piece that comes in: so they are given whole events only, a few at a time, with one kind of line break and no blank lines
 * between them.
 */
export function eventGuard({ stream_bytes = Number.POSITIVE_INFINITY, event_bytes, tooLarge }: GuardLimits) {
  // Texts here have a sign for each byte: the lines of the event that is coming in, and what there is of the next one.
  let [event, line] = ['', '']
  let size = 0
  let endedInReturn = false
  const checked = (text: string): string => {
    if (text.length > event_bytes) throw tooLarge()
    const data = text.match(/^data:.*/gm)?.join('\n') ?? ''
    if (excessOfJson(Buffer.from(data, 'latin1'), LIMITS.jsonValues.max)) throw tooLarge()
    return text
  }
  return {
    take(chunk: Uint8Array): readonly Uint8Array[] {
      size += chunk.length
      if (size > stream_bytes) throw tooLarge()
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
      const isSecondHalf = endedInReturn && text.startsWith('\n')
      endedInReturn = text.endsWith('\r')
      const pieces: string[] = []
      let piece = ''
      for (const [at, part] of (isSecondHalf ? text.slice(1) : text).split(/\r\n|[\r\n]/).entries()) {
        if (at > 0) {
          // The line before is at its end, and with an empty one the event is.
          if (line !== '') event += `${line}\n`
          else {
            if (event !== '') piece += checked(`${event}\n`)
            event = ''
          }
          line = ''
          if (piece.length >= PIECE_BYTES) {
            pieces.push(piece)
            piece = ''
          }
        }
        line += part
        if (event.length + line.length > event_bytes) throw tooLarge()
      }
      return [...pieces, piece].filter((text) => text !== '').map((text) => Buffer.from(text, 'latin1'))
    },
    rest: (): readonly Uint8Array[] => (event + line === '' ? [] : [Buffer.from(checked(event + line), 'latin1')])
  }
}
