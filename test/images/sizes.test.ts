import * as assert from 'uvu/assert'
import { gifSize, jpegSize, pngSize, type ReadSize, webpSize } from '../../src/records/images/sizes.js'
import { suite } from '../support/suite.js'
import { canvasChunk, gif, jpegOf, losslessChunk, lossyChunk, pngOf, webpOf } from './made.js'

const test = suite('sizes of images')

const tools = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  lossy: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  lossless: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='
}

const whole: readonly (readonly [what: string, read: ReadSize, bytes: Buffer, width: number, height: number])[] = [
  ['PNG', pngSize, pngOf(3, 2), 3, 2],
  ['PNG of a tool', pngSize, Buffer.from(tools.png, 'base64'), 1, 1],
  ['JPEG', jpegSize, jpegOf(300, 200), 300, 200],
  ['GIF', gifSize, gif, 3, 2],
  ['GIF of a tool', gifSize, Buffer.from(tools.gif, 'base64'), 1, 1],
  ['lossy WebP', webpSize, webpOf(lossyChunk(300, 200)), 300, 200],
  ['lossy WebP of a tool', webpSize, Buffer.from(tools.lossy, 'base64'), 1, 1],
  ['lossless WebP', webpSize, webpOf(losslessChunk(300, 200)), 300, 200],
  ['lossless WebP of a tool', webpSize, Buffer.from(tools.lossless, 'base64'), 1, 1],
  ['extended WebP', webpSize, webpOf(canvasChunk(5000, 40), ['ALPH', Buffer.alloc(3)], lossyChunk(10, 10)), 5000, 40]
]

for (const [what, read, bytes, width, height] of whole) {
  test(`of a ${what} the size is read`, () => assert.equal(read(bytes), { width, height }))

  test(`a ${what} that is cut short anywhere is none`, () => {
    for (let length = 0; length < bytes.length; length++) assert.is(read(bytes.subarray(0, length)), null, `${length}`)
  })

  test(`whatever one byte of a ${what} is, reading it comes to an end`, () => {
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const other = Buffer.from(bytes)
        other[at] = byte
        const size = read(other)
        assert.ok(size === null || (size.width >= 0 && size.height >= 0))
      }
    }
  })
}

const none: readonly (readonly [what: string, read: ReadSize, bytes: Buffer])[] = [
  ['a PNG without data', pngSize, pngOf(3, 2, [['IEND', Buffer.alloc(0)]])],
  ['a PNG without an end', pngSize, pngOf(3, 2, [['IDAT', Buffer.alloc(4)]])],
  ['a GIF without an image', gifSize, Buffer.concat([gif.subarray(0, 19), Buffer.from([0x3b])])],
  ['a JPEG without an end', jpegSize, jpegOf(3, 2, Buffer.from([1, 2, 3]))],
  ['an extended WebP without an image', webpSize, webpOf(canvasChunk(3, 2))],
  ['a WebP with two canvases', webpSize, webpOf(canvasChunk(3, 2), canvasChunk(3, 2), lossyChunk(3, 2))],
  ['a PNG as a JPEG', jpegSize, pngOf(3, 2)],
  ['a page as a GIF', gifSize, Buffer.from('<html><script>1</script></html>')],
  ['an SVG as a WebP', webpSize, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')]
]

for (const [what, read, bytes] of none) test(`${what} is none`, () => assert.is(read(bytes), null))

test.run()
