/** How many pixels an image has. */
export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The size of an image of one format, from its header; null for bytes that are no such image, or not all of one. Bytes come
 * from anybody: whoever reads them looks at each place once and never beyond the end.
 */
export type ReadSize = (bytes: Buffer) => Size | null

const START_OF_IMAGE = 0xffd8
const END_OF_IMAGE = Buffer.from([0xff, 0xd9])
const START_OF_SCAN = 0xda
/** Markers of frames, among which three mean something else. */
const FRAMES = { first: 0xc0, last: 0xcf, but: [0xc4, 0xc8, 0xcc] }
const FRAME_BYTES = 9

/** A JPEG has a frame, a scan behind it, and an end. */
export const jpegSize: ReadSize = (bytes) => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== START_OF_IMAGE) return null
  let size: Size | null = null
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    // Any number of these may stand before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) return null
    if (isFrame(marker) && length >= FRAME_BYTES)
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    if (marker === START_OF_SCAN) return bytes.indexOf(END_OF_IMAGE, at + 2 + length) < 0 ? null : size
    at += 2 + length
  }
  return null
}

function isFrame(marker: number): boolean {
  return marker >= FRAMES.first && marker <= FRAMES.last && !FRAMES.but.includes(marker)
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Length and type before the data of a chunk, and its checksum behind. */
const CHUNK_BYTES = 12
const PNG_HEADER_BYTES = 13

/** A PNG begins with `IHDR`, has data and goes on to `IEND`. */
export const pngSize: ReadSize = (bytes) => {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  let size: Size | null = null
  let hasData = false
  for (let at = SIGNATURE.length; at + CHUNK_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + CHUNK_BYTES + length
    if (end > bytes.length) return null
    if (!size) {
      if (type !== 'IHDR' || length !== PNG_HEADER_BYTES) return null
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    if (type === 'IDAT') hasData = true
    if (type === 'IEND') return hasData ? size : null
    at = end
  }
  return null
}

/** `RIFF`, the size of the rest, `WEBP`. */
const WEBP_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const LOSSY_BYTES = 10
const LOSSLESS_BYTES = 5
const EXTENDED_BYTES = 10
const SIDE_MASK = 0x3fff

/** A WebP is whole as its header says; of an extended one the size is that of its canvas, and some image is in it. */
export const webpSize: ReadSize = (bytes) => {
  if (bytes.length < WEBP_HEADER_BYTES + CHUNK_HEADER_BYTES) return null
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const end = bytes.readUInt32LE(4) + 8
  if (end > bytes.length) return null
  let canvas: Size | null = null
  for (let at = WEBP_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= end; ) {
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

const GIF_HEADER_BYTES = 13
const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER = 0x3b
const DESCRIPTOR_BYTES = 10

/** A GIF has an image at least, and goes on to its trailer. */
export const gifSize: ReadSize = (bytes) => {
  if (bytes.length < GIF_HEADER_BYTES || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  let hasImage = false
  for (let at = GIF_HEADER_BYTES + tableBytes(bytes.readUInt8(10)); at < bytes.length; ) {
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
