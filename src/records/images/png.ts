import type { ReadSize, Size } from './size.js'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Length and type before the data of a chunk, and its checksum behind. */
const CHUNK_BYTES = 12
const HEADER_BYTES = 13

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
      if (type !== 'IHDR' || length !== HEADER_BYTES) return null
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    if (type === 'IDAT') hasData = true
    if (type === 'IEND') return hasData ? size : null
    at = end
  }
  return null
}
