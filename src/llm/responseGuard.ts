import { TransformStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import { excessOfJson } from '../lib/jsonScan.js'
import { giveWay } from '../lib/turns.js'
import { LIMITS } from '../limits.js'

/**
 * Stands between a body that somebody else sends and whoever decodes it. It throws before anything is handed on that would
 * be too much to hold or to parse: a megabyte of brackets takes a parser a hundred times as long as a megabyte of text.
 */
export interface ResponseGuard {
  /** What of the bytes, and of those held back before, can be handed on. */
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

// Decoders copy what is left of a piece for each event in it: this bounds the product.
const PIECE_BYTES = 8192

export const EVENT_STREAM = 'text/event-stream'

/**
 * What a body is sent through that is decoded as one of this media type. Others have their turn after each piece, and now and then
 * where there is none.
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
        await setImmediate()
      }
    },
    flush(controller) {
      for (const piece of guard.rest()) controller.enqueue(piece)
    }
  })
}

/** Guards a body that is decoded as a whole: it is held until it is one. */
export function bodyGuard({ body_bytes, tooLarge }: GuardLimits): ResponseGuard {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    take(chunk) {
      size += chunk.length
      if (size > body_bytes) throw tooLarge()
      chunks.push(chunk)
      return []
    },
    rest() {
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
export function eventGuard({
  stream_bytes = Number.POSITIVE_INFINITY,
  event_bytes,
  tooLarge
}: GuardLimits): ResponseGuard {
  // Texts here have a sign for each byte: the lines of the event that is coming in, and what there is of the next one.
  let [event, line] = ['', '']
  let size = 0
  let endedInReturn = false
  const checked = (whole: string): string => {
    const data = whole.match(/^data:.*/gm)?.join('\n') ?? ''
    if (excessOfJson(Buffer.from(data, 'latin1'), LIMITS.jsonValues.max)) throw tooLarge()
    return whole
  }
  return {
    take(chunk) {
      size += chunk.length
      if (size > stream_bytes) throw tooLarge()
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
      const isSecondHalf = endedInReturn && text.startsWith('\n')
      endedInReturn = text.endsWith('\r')
      const shortened = (isSecondHalf ? text.slice(1) : text).replace(/(?:\r\n?|\n){3,}/g, '\n\n')
      const parts = shortened.split(/\r\n|[\r\n]/)
      const pieces = ['']
      for (const [at, part] of parts.entries()) {
        const isEnded = at < parts.length - 1
        line += part
        if (event.length + line.length + Number(isEnded) > event_bytes) throw tooLarge()
        if (!isEnded) break
        if (line !== '') event += `${line}\n`
        else if (event !== '') {
          const piece = `${pieces.pop()}${checked(event)}\n`
          pieces.push(piece, ...(piece.length >= PIECE_BYTES ? [''] : []))
          event = ''
        }
        line = ''
      }
      return pieces.filter((piece) => piece !== '').map((piece) => Buffer.from(piece, 'latin1'))
    },
    rest: () => (event + line === '' ? [] : [Buffer.from(checked(event + line), 'latin1')])
  }
}
