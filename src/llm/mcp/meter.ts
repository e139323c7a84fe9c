import { Refusal } from './refusal.js'

/** Sees every chunk of a response before it is passed on, and throws when there has been too much. */
export type Meter = (chunk: Uint8Array) => void

const LF = 10
const CR = 13

/** Bounds a whole body. */
export function bodyMeter(limit_bytes: number): Meter {
  let size = 0
  return (chunk) => {
    size += chunk.length
    if (size > limit_bytes) throw tooLarge(limit_bytes)
  }
}

/** Bounds each event of an event stream: the stream itself may live for days, but a parser holds one event at a time. */
export function eventMeter(limit_bytes: number): Meter {
  let size = 0
  let previous = 0
  return (chunk) => {
    for (const byte of chunk) {
      const blankLine = isBreak(byte) && isBreak(previous) && !(previous === CR && byte === LF)
      size = blankLine ? 0 : size + 1
      previous = byte
      if (size > limit_bytes) throw tooLarge(limit_bytes)
    }
  }
}

function isBreak(byte: number): boolean {
  return byte === LF || byte === CR
}

function tooLarge(limit_bytes: number): Refusal {
  return new Refusal(`The tool server's answer is larger than ${limit_bytes} bytes.`)
}
