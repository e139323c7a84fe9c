import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import Negotiator from 'negotiator'
import { LIMITS } from '../limits.js'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** What some Nodes have, from 22.15 on. */
interface Zstd {
  zstdCompress(bytes: Buffer, done: (error: Error | null, compressed: Buffer) => void): void
  createZstdCompress(): Flushing
}

/** A stream that compresses, and can be told to give out what it holds. */
type Flushing = Transform & Pick<zlib.Gzip, 'flush'>

interface Compressor {
  /** Compresses in a thread of Node's pool. */
  whole(bytes: Buffer): Promise<Buffer>
  stream(): Flushing
}

// The highest quality of Brotli takes a hundred times as long for a tenth less.
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5, [zlib.constants.BROTLI_PARAM_LGWIN]: 19 } }
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)

const { zstdCompress, createZstdCompress }: Partial<Zstd> = zlib as typeof zlib & Partial<Zstd>
const zstd =
  zstdCompress && createZstdCompress ? { whole: promisify(zstdCompress), stream: createZstdCompress } : undefined

const COMPRESSORS: Readonly<Partial<Record<Encoding, Compressor>>> = {
  ...(zstd && { zstd }),
  br: { whole: (bytes) => brotli(bytes, BROTLI), stream: () => zlib.createBrotliCompress(BROTLI) },
  gzip: { whole: promisify<Buffer, Buffer>(zlib.gzip), stream: () => zlib.createGzip() }
}

const PLAIN = 'identity'
/** Of encodings that a client likes as much as each other, the first. */
const PREFERRED = [...Object.keys(COMPRESSORS), PLAIN]

/** The types of the library do not tell that it takes a preference among equals. */
interface Preferring {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined
}

/** The encoding that an Accept-Encoding header likes best; null where the answer is best sent as it is. */
export function chosenEncoding(header: string | string[] | undefined): Encoding | null {
  if (header === undefined) return null
  const negotiator: Preferring = new Negotiator({ headers: { 'accept-encoding': String(header) } })
  const chosen = negotiator.encoding(PREFERRED, { preferred: PREFERRED })
  return chosen === 'zstd' || chosen === 'br' || chosen === 'gzip' ? chosen : null
}

let compressing = 0

/** The bytes compressed, away from the event loop; null where too much is being compressed already, or it would save nothing. */
export async function compressed(encoding: Encoding, bytes: Buffer): Promise<Buffer | null> {
  const compressor = COMPRESSORS[encoding]
  if (!compressor || compressing >= LIMITS.compressions.max) return null
  compressing++
  try {
    const packed = await compressor.whole(bytes)
    return packed.length < bytes.length ? packed : null
  } finally {
    compressing--
  }
}

/** What compresses these bytes when a form of them is first asked for, and keeps it; null where it is not to be had now. */
export function compressedOnce(bytes: Buffer): (encoding: Encoding) => Promise<Buffer | null> {
  const kept = new Map<Encoding, Promise<Buffer | null>>()
  return async (encoding) => {
    const making = kept.get(encoding) ?? compressed(encoding, bytes)
    kept.set(encoding, making)
    const packed = await making.catch(() => null)
    if (packed === null) kept.delete(encoding)
    return packed
  }
}

let streaming = 0

/**
 * The parts of an answer compressed as they come, each given out before the next is asked for; null where too many answers are
 * being sent so already.
 */
export function compressedParts(
  encoding: Encoding,
  parts: () => AsyncIterable<Buffer>
): (() => AsyncIterable<Buffer>) | null {
  const compressor = COMPRESSORS[encoding]
  if (!compressor || streaming >= LIMITS.compressedStreams.max) return null
  return () => streamed(compressor, parts())
}

async function* streamed(compressor: Compressor, parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  streaming++
  const stream = compressor.stream()
  let chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => {})
  const taken = () => {
    const all = Buffer.concat(chunks)
    chunks = []
    return all
  }
  try {
    for await (const part of parts) {
      stream.write(part)
      await Promise.race([failed, new Promise<void>((resolve) => stream.flush(resolve))])
      yield taken()
    }
    stream.end()
    await once(stream, 'end')
    yield taken()
  } finally {
    streaming--
    stream.destroy()
  }
}
