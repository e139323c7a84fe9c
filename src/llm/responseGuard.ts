import { TransformStream } from 'node:stream/web'
import { excessOfJson } from '../lib/jsonScan.js'
import { giveWay } from '../lib/turns.js'
import { LIMITS } from '../limits.js'
import { EventSplitter, type StreamLimits } from './eventSplitter.js'

export interface GuardLimits extends StreamLimits {
  /** Of a body that is no event stream. */
  readonly body_bytes: number
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
export function eventGuard(limits: GuardLimits) {
  const splitter = new EventSplitter(limits)
  // Texts here have a sign for each byte.
  const checked = (text: string): string => {
    const data = text.match(/^data:.*/gm)?.join('\n') ?? ''
    if (excessOfJson(Buffer.from(data, 'latin1'), LIMITS.jsonValues.max)) throw limits.tooLarge()
    return text
  }
  return {
    take(chunk: Uint8Array): readonly Uint8Array[] {
      const pieces = ['']
      for (const event of splitter.take(chunk)) {
        const lines = event.toString('latin1').match(/[^\r\n]+/g)
        if (!lines) continue
        const whole = checked(`${lines.join('\n')}\n\n`)
        if ((pieces.at(-1) ?? '').length >= PIECE_BYTES) pieces.push('')
        pieces.push((pieces.pop() ?? '') + whole)
      }
      return pieces.filter((text) => text !== '').map((text) => Buffer.from(text, 'latin1'))
    },
    rest(): readonly Uint8Array[] {
      const [text = ''] = splitter.rest().map((bytes) => bytes.toString('latin1').replace(/\r\n?/g, '\n'))
      return text.trim() === '' ? [] : [Buffer.from(checked(text), 'latin1')]
    }
  }
}
