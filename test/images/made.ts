/** Small images of each format, as tools write them, and ways to make others. */

const of = (base64: string) => Buffer.from(base64, 'base64')

/** Three pixels wide and two high, one of each that is taken. */
export const gif = of('R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAADAAIAAAIChF8AOw==')

/** A PNG of these chunks, behind its header. */
export function pngOf(
  width: number,
  height: number,
  chunks: readonly (readonly [string, Buffer])[] = dataAndEnd
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    ...[['IHDR', header] as const, ...chunks].map(([type, data]) => pngChunk(type, data))
  ])
}

const dataAndEnd = [
  ['IDAT', Buffer.from('789c636060600000000400016ef2b1', 'hex')],
  ['IEND', Buffer.alloc(0)]
] as const

function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}

/** A JPEG of a frame of this size, and some segments before it; `scan` is what is behind its header. */
export function jpegOf(width: number, height: number, scan: Buffer = Buffer.from([1, 2, 3, 0xff, 0xd9])): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  const frame = Buffer.concat([Buffer.from([8]), size, Buffer.from([1, 1, 0x11, 0])])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    // Tables look like frames, and hold what is no size.
    jpegSegment(0xc4, Buffer.alloc(20, 0xc0)),
    jpegSegment(0xc2, frame),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    scan
  ])
}

function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A WebP of these chunks. */
export function webpOf(...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = chunks.map(([type, data]) => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  })
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}

export function lossyChunk(width: number, height: number): readonly [string, Buffer] {
  const data = Buffer.alloc(16)
  data.set([0x30, 1, 0, 0x9d, 1, 0x2a])
  data.writeUInt16LE(width, 6)
  data.writeUInt16LE(height, 8)
  return ['VP8 ', data]
}

export function losslessChunk(width: number, height: number): readonly [string, Buffer] {
  const data = Buffer.alloc(9)
  data.writeUInt8(0x2f)
  data.writeUInt32LE(((height - 1) << 14) | (width - 1), 1)
  return ['VP8L', data]
}

export function canvasChunk(width: number, height: number): readonly [string, Buffer] {
  const data = Buffer.alloc(10)
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return ['VP8X', data]
}

export const dataUrl = (mediaType: string, bytes: Buffer) => `data:${mediaType};base64,${bytes.toString('base64')}`

/** As large as may be, in data that nobody looks at. */
export function pngOfBytes(count: number): Buffer {
  const empty = pngOf(3, 2, [['IDAT', Buffer.alloc(0)], ...dataAndEnd.slice(1)])
  return pngOf(3, 2, [['IDAT', Buffer.alloc(count - empty.length)], ...dataAndEnd.slice(1)])
}
