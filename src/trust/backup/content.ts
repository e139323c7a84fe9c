import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { digestsOf } from '../../../projections/digest.js'
import { versions } from '../../../projections/index.js'
import { SCHEMA } from '../../ledger/release.js'
import { giveWay } from '../../lib/turns.js'
import { VERSION } from '../../lib/version.js'
import type { Keyring } from '../../log/chain.js'
import type { Head } from '../../log/event.js'
import { pages } from '../../log/pages.js'
import type { Storage } from '../../storage/storage.js'
import { ChainWalk, type WalkStart } from '../audit/walk.js'
import { BackupError, type End, FORMAT, type Header, lineOf, placeOf } from './format.js'
import { NamedImages } from './images.js'
import { toLine } from './lines.js'

/** A database that answers at once makes a page in one go. */
const PAGE = 200
const USES_PER_LINE = 500
/** Lines go to the compressor when there are so many characters of them. */
const CHUNK_LENGTH = 256 * 1024

/** What a backup is of. */
export interface BackupContent {
  /** Where the backup before this one ended, for one that continues it; a full one otherwise. */
  readonly start?: WalkStart | undefined
  readonly keys: Keyring
  readonly now: number
  readonly progress?: ((position: number) => void) | undefined
}

/**
 * A backup, compressed, while others go on writing: the log up to where it ends now, the uses of tokens, the images that it names and,
 * where it is a full one, the digests of the read tables. It fails with `BackupError` where the log is not as it was written, and with
 * `StorageUnavailable`.
 */
export function contentStream(storage: Storage, content: BackupContent): Readable {
  const lines = Readable.from(inChunks(linesOf(storage, content)), { objectMode: false })
  // Whoever takes it is told what goes wrong.
  return pipeline(lines, createGzip(), () => {})
}

/** Larger pieces of the same text. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK_LENGTH) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  yield Buffer.from(chunk)
}

/** The lines of the file, with the sum of all of them at the end. */
async function* linesOf(storage: Storage, content: BackupContent): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const line of contentOf(storage, content)) {
    hash.update(line)
    yield line
  }
  yield lineOf({ sha256: hash.digest('hex') })
}

async function* contentOf(storage: Storage, { start, keys, now, progress }: BackupContent): AsyncGenerator<string> {
  const walk = new ChainWalk(keys, { start, passesUnknownKeys: true })
  const after = placeOf(walk.head)
  const { head, tables } = start ? { head: await storage.head(), tables: null } : await stateOf(storage)
  const madeAt = new Date(now).toISOString()
  const header: Header = {
    ...{ format: FORMAT, release: VERSION, madeAt, schema: SCHEMA, projections: { ...versions }, after },
    sealed: walk.sealed
  }
  yield lineOf(header)
  const images = new NamedImages()
  yield* eventsUpTo(storage, walk, head.position, images, progress)
  const uses = [...(await storage.tokenUses())]
  for (let i = 0; i < uses.length; i += USES_PER_LINE) yield lineOf({ tokenUses: uses.slice(i, i + USES_PER_LINE) })
  let imageCount = 0
  for await (const image of images.in(storage)) {
    imageCount++
    yield lineOf({ image })
  }
  const events = walk.head.position - after.position
  const counts = { events, tokenUses: uses.length, images: imageCount }
  yield lineOf({ end: { ...placeOf(walk.head), sealed: walk.sealed, ...counts, tables } })
}

/** One state of the read tables, and where the log ended then. */
function stateOf(storage: Storage): Promise<{ readonly head: Head; readonly tables: End['tables'] }> {
  return storage.snapshot(async ({ head, scan }) => {
    const calm: typeof scan = (...asked) => giveWay().then(() => scan(...asked))
    const digests = await digestsOf({ scan: calm }, () => createHash('sha256'))
    return { head, tables: { position: head.position, digests: [...digests] } }
  })
}

/**
 * The events behind the walk up to a position, as lines. The log grows only at its end, so they are one state of it. What is
 * erased meanwhile is whole or gone in the file; where it is gone, the file goes on to the event that tells so, which
 * was there before anything was gone.
 */
async function* eventsUpTo(
  storage: Storage,
  walk: ChainWalk,
  end: number,
  images: NamedImages,
  progress: (position: number) => void = () => {}
): AsyncGenerator<string> {
  for (let to = end, untold: number | null = null; ; untold = walk.untold, to = (await storage.head()).position) {
    for await (const page of pages(storage.readLog, walk.head.position, to, PAGE)) {
      for (const event of page) {
        const expected = walk.head.position + 1
        const reason = walk.take(event)
        if (reason !== null) throw new BackupError(unusable(expected, reason))
        images.see(event)
        yield toLine(event)
        await giveWay()
      }
      progress(walk.head.position)
    }
    const { position } = walk.head
    if (position < to)
      throw new BackupError(unusable(position + 1, `The log ends at ${to}, and this event is missing.`))
    if (walk.untold === null) return
    if (walk.untold === untold)
      throw new BackupError(unusable(untold, 'What it held was erased, and no event tells by whom.'))
  }
}

function unusable(position: number, reason: string): string {
  return `The log cannot be backed up, since nobody could restore it. Position ${position}: ${reason} Copy the database with its own tools, and run \`hub audit verify\`.`
}
