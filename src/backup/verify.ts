import { ChainWalk, type Sealed, type WalkStart } from '../audit/walk.js'
import { canonicalJson } from '../log/canonical.js'
import type { Keyring } from '../log/chain.js'
import type { Head, StoredEvent } from '../log/event.js'
import { giveWay } from '../turns.js'
import { BackupError, type End, type Header } from './format.js'
import { isWholeImage } from './images.js'
import { partsOf } from './read.js'

/** What the files of a backup hold together. */
export interface BackupReport {
  readonly files: readonly string[]
  /** Of the last file. */
  readonly header: Header
  readonly end: End
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
 * Reads a full backup and the increments that continue it, in their order, and computes everything again: the sum of each file,
 * the commitment of each text, every link of the chain, each image, and that each file begins where the one before ended. Without the key
 * of a sealed chain its links are not computed. Throws `BackupError` that names the file and the place.
 */
export async function verifyBackup(files: readonly string[], means: VerifyMeans): Promise<BackupReport> {
  const { keys, start, see, progress = () => {} } = means
  const walk = new ChainWalk(keys, { start, passesUnknownKeys: true })
  let first: string | null = null
  let events = 0
  let uncheckedFrom: number | null = null
  let last: Pick<BackupReport, 'header' | 'end'> | null = null
  for (const file of files) {
    const held = { events: 0, tokenUses: 0, images: 0 }
    let header: Header | null = null
    for await (const part of partsOf(file)) {
      if (part.kind === 'header') {
        header = part.header
        requireContinues(file, header, walk)
      } else if (part.kind === 'event') {
        const { event } = part
        if (!walk.sealing) uncheckedFrom ??= event.position
        const reason = walk.take(event)
        if (reason !== null) throw new BackupError(`${file}, line ${part.line}: position ${event.position}: ${reason}`)
        if (event.position === 1) first = event.chain
        held.events++
        see?.(event)
        if (held.events % 1000 === 0) progress(event.position)
      } else if (part.kind === 'uses') held.tokenUses += part.uses.length
      else if (part.kind === 'image') {
        if (!isWholeImage(part.image))
          throw new BackupError(`${file}, line ${part.line}: the image is not the one that it is named for.`)
        held.images++
      } else if (header) last = { header, end: part.end }
      await giveWay()
    }
    if (last) requireEnd(file, last.end, walk, held)
    events += held.events
  }
  if (!last) throw new BackupError('There is no file to verify.')
  return { files, ...last, first, events, sealed: walk.sealed, uncheckedFrom }
}

function requireContinues(file: string, { after, sealed }: Header, walk: ChainWalk): void {
  const { position } = walk.head
  if (canonicalJson({ after, sealed }) === canonicalJson({ after: placeOf(walk.head), sealed: walk.sealed })) return
  if (position === 0)
    throw new BackupError(
      `${file} is an increment: it continues a backup that ends at position ${after.position}. Name the directory of both.`
    )
  throw new BackupError(
    `${file} continues a backup that ends at position ${after.position}, chain ${after.chain}, and the file before it ends at ${position}, chain ${walk.head.chain}.`
  )
}

type Held = Pick<End, 'events' | 'tokenUses' | 'images'>

function requireEnd(file: string, end: End, walk: ChainWalk, held: Held): void {
  const { sealed, events, tokenUses, images } = end
  const said = { ...placeOf(end), sealed, events, tokenUses, images }
  if (canonicalJson(said) !== canonicalJson({ ...placeOf(walk.head), sealed: walk.sealed, ...held }))
    throw new BackupError(`${file}: the end tells of something else than the file holds.`)
  if (walk.untold !== null)
    throw new BackupError(`${file}: position ${walk.untold}: what it held was erased, and no event tells by whom.`)
}

function placeOf({ position, chain, at, generation }: Head) {
  return { position, chain, at, generation }
}
