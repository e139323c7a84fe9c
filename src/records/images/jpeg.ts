import type { ReadSize, Size } from './size.js'

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
