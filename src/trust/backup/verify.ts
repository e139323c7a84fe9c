import { giveWay } from '../../lib/turns.js'
import { canonicalJson } from '../../log/canonical.js'
import type { Keyring } from '../../log/chain.js'
import type { StoredEvent } from '../../log/event.js'
import { ChainWalk, type Sealed, type WalkStart } from '../audit/walk.js'
import { BackupError, type End, type Header, placeOf, type TokenUse } from './format.js'
import { isWholeImage } from './images.js'
import { partsOf } from './read.js'

/** What the files of a backup hold together. */
export interface BackupReport {
  readonly files: readonly string[]
  /** Of the last backup in them. */
  readonly header: Header
  readonly end: End
  /** When each token was last used, as of the end. */
  readonly uses: readonly TokenUse[]
  /** How many images there are. */
  readonly images: number
  /** The chain of the log's first event, by which one log is told from another; null where no file begins with it. */
  readonly first: string | null
  readonly events: number
  /** The key in force at the end; null where it is not sealed. */
  readonly sealed: Sealed | null
  /** The first position that is sealed with a key which is not at hand: who made it is not known. Null where all are known. */
  readonly uncheckedFrom: number | null
}

/** How a backup is verified. */
export interface VerifyMeans {
  readonly keys: Keyring
  /** Where the file before the first one ended, where that is not among these. */
  readonly start?: WalkStart | undefined
  /** Is given every event. */
  readonly see?: ((event: StoredEvent) => void) | undefined
  readonly progress?: ((position: number) => void) | undefined
}

/**
 * Reads a full backup and the increments that continue it, in their order, and computes everything again: the sum of each,
 * the commitment of each text, every link of the chain, each image, and that each begins where the one before ended. Without the key
 * of a sealed chain its links are not computed. Throws `BackupError` that names the file and the place.
 */
export async function verifyBackup(files: readonly string[], means: VerifyMeans): Promise<BackupReport> {
  const { keys, start, see, progress = () => {} } = means
  const walk = new ChainWalk(keys, { start, passesUnknownKeys: true })
  let first: string | null = null
  let uncheckedFrom: number | null = null
  const all = { events: 0, images: 0 }
  let one = nothing()
  let last: Pick<BackupReport, 'header' | 'end'> | null = null
  for (const file of files) {
    for await (const part of partsOf(file)) {
      if (part.kind === 'header') {
        requireContinues(part.line === 1 ? file : `${file}, line ${part.line}`, part.header, walk)
        one = { ...nothing(), header: part.header }
      } else if (part.kind === 'event') {
        const { event } = part
        if (!walk.sealing) uncheckedFrom ??= event.position
        const reason = walk.take(event)
        if (reason !== null) throw new BackupError(`${file}, line ${part.line}: position ${event.position}: ${reason}`)
        if (event.position === 1) first = event.chain
        one.events++
        see?.(event)
        if (one.events % 1000 === 0) progress(event.position)
      } else if (part.kind === 'uses') for (const use of part.uses) one.uses.push(use)
      else if (part.kind === 'image') {
        if (!isWholeImage(part.image))
          throw new BackupError(`${file}, line ${part.line}: the image is not the one that it is named for.`)
        one.images++
      } else if (one.header) {
        requireEnd(file, part.end, walk, one)
        last = { header: one.header, end: part.end }
        all.events += one.events
        all.images += one.images
      }
      await giveWay()
    }
  }
  if (!last) throw new BackupError('There is no file to verify.')
  return { files, ...last, ...all, uses: one.uses, first, sealed: walk.sealed, uncheckedFrom }
}

function requireContinues(place: string, { after, sealed }: Header, walk: ChainWalk): void {
  const { position, chain } = walk.head
  if (canonicalJson({ after, sealed }) === canonicalJson({ after: placeOf(walk.head), sealed: walk.sealed })) return
  if (position === 0)
    throw new BackupError(
      `${place} is an increment: it continues a backup that ends at position ${after.position}. Name the directory of both.`
    )
  throw new BackupError(
    `${place} continues a backup that ends at position ${after.position}, chain ${after.chain}, and the one before it ends at ${position}, chain ${chain}.`
  )
}

/** What was read of one backup. */
interface Held {
  readonly header: Header | null
  readonly uses: TokenUse[]
  events: number
  images: number
}

function nothing(): Held {
  return { header: null, uses: [], events: 0, images: 0 }
}

/** Where a backup begins that continues this one. */
export function startBehind({ end, sealed }: Pick<BackupReport, 'end' | 'sealed'>): WalkStart {
  return { head: placeOf(end), sealed }
}

function requireEnd(file: string, end: End, walk: ChainWalk, { events, uses, images }: Held): void {
  const { tables: _, ...said } = end
  const read = { ...placeOf(walk.head), sealed: walk.sealed, events, tokenUses: uses.length, images }
  if (canonicalJson(said) !== canonicalJson(read))
    throw new BackupError(`${file}: the end tells of something else than the file holds.`)
  if (walk.untold !== null)
    throw new BackupError(`${file}: position ${walk.untold}: what it held was erased, and no event tells by whom.`)
}
