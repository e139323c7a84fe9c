import type { ReadSize, Size } from './size.js'

/** `RIFF`, the size of the rest, `WEBP`. */
const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const LOSSY_BYTES = 10
const LOSSLESS_BYTES = 5
const EXTENDED_BYTES = 10
const SIDE_MASK = 0x3fff

/** A WebP is whole as its header says; of an extended one the size is that of its canvas, and some image is in it. */
export const webpSize: ReadSize = (bytes) => {
  if (bytes.length < HEADER_BYTES + CHUNK_HEADER_BYTES) return null
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const end = bytes.readUInt32LE(4) + 8
  if (end > bytes.length) return null
  let canvas: Size | null = null
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= end; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const from = at + CHUNK_HEADER_BYTES
    if (from + length > end) return null
    const data = bytes.subarray(from, from + length)
    if (type === 'ANMF') return canvas
    if (type === 'VP8 ' || type === 'VP8L') {
      const size = type === 'VP8 ' ? lossySize(data) : losslessSize(data)
      return size && (canvas ?? size)
    }
    if (type === 'VP8X') {
      if (canvas || length < EXTENDED_BYTES) return null
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
    }
    // Chunks stand at even places.
    at = from + length + (length % 2)
  }
  return null
}

const lossySize: ReadSize = (data) => {
  if (data.length < LOSSY_BYTES) return null
  const isKeyFrame = (data.readUInt8(0) & 1) === 0
  if (!isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a) return null
  return { width: data.readUInt16LE(6) & SIDE_MASK, height: data.readUInt16LE(8) & SIDE_MASK }
}

const losslessSize: ReadSize = (data) => {
  if (data.length < LOSSLESS_BYTES || data[0] !== 0x2f) return null
  const bits = data.readUInt32LE(1)
  return { width: (bits & SIDE_MASK) + 1, height: ((bits >>> 14) & SIDE_MASK) + 1 }
}
