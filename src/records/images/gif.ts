import type { ReadSize } from './size.js'

const HEADER_BYTES = 13
const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER = 0x3b
const DESCRIPTOR_BYTES = 10

/** A GIF has an image at least, and goes on to its trailer. */
export const gifSize: ReadSize = (bytes) => {
  if (bytes.length < HEADER_BYTES || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  let hasImage = false
  for (let at = HEADER_BYTES + tableBytes(bytes.readUInt8(10)); at < bytes.length; ) {
    const block = bytes[at]
    if (block === TRAILER) return hasImage ? size : null
    if (block === IMAGE && at + DESCRIPTOR_BYTES <= bytes.length) {
      hasImage = true
      // Behind the table of colours stands how wide codes are.
      at = endOfParts(bytes, at + DESCRIPTOR_BYTES + tableBytes(bytes.readUInt8(at + 9)) + 1)
    } else if (block === EXTENSION) at = endOfParts(bytes, at + 2)
    else return null
  }
  return null
}

/** How large the table of colours is that a byte of flags tells of. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Behind the parts that begin there, each behind its length, the last one empty; the end of all where that is missing. */
function endOfParts(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const length = bytes[at]
    if (length === undefined) return bytes.length
    at += 1 + length
    if (length === 0) return at
  }
}
