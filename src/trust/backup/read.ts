import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../../lib/files.js'
import { LIMITS } from '../../limits.js'
import type { StoredEvent } from '../../log/event.js'
import {
  BackupError,
  besideOf,
  type End,
  type Header,
  headerOf,
  type Image,
  isHeader,
  sumOf,
  type TokenUse
} from './format.js'
import { fromLine, LineTooLong, linesOf } from './lines.js'

/** A part of a backup file, in the order in which they are in it. */
export type Part =
  | { readonly kind: 'header'; readonly header: Header; readonly line: number }
  | { readonly kind: 'event'; readonly event: StoredEvent; readonly line: number }
  | { readonly kind: 'uses'; readonly uses: readonly TokenUse[] }
  | { readonly kind: 'image'; readonly image: Image; readonly line: number }
  | { readonly kind: 'end'; readonly end: End }

/**
 * The parts of a backup file, one after another; a line is held at a time. Behind the end of a backup there may be
 * the header of one that continues it. An end comes when the sum behind it is right. Throws `BackupError` that names the line for
 * a file that is cut off, damaged, in another order, or not what its sums say.
 */
export async function* partsOf(file: string): AsyncGenerator<Part, void> {
  let hash = createHash('sha256')
  let number = 0
  let stage: Part['kind'] = 'end'
  let end: Part | null = null
  for await (const text of textsOf(file, () => number + 1)) {
    number++
    const wrong = (what: string) => new BackupError(`${file}, line ${number}: ${what}`)
    if (end) {
      if (sumOf(text) !== hash.digest('hex')) throw wrong('the sum is another one: the file was changed.')
      yield end
      hash = createHash('sha256')
      end = null
      continue
    }
    hash.update(`${text}\n`)
    const begins: boolean = stage === 'end'
    if (begins && number > 1 && !isHeader(text)) throw wrong('there is something behind the end of the backup.')
    const part: Part | null = begins
      ? { kind: 'header', header: headerOf(text, number, file), line: number }
      : partOn(text, number)
    if (!part || (!begins && ORDER.indexOf(part.kind) < ORDER.indexOf(stage)))
      throw wrong('this is not what comes here: the file is damaged.')
    stage = part.kind
    if (part.kind === 'end') end = part
    else yield part
  }
  if (number === 0 || stage !== 'end' || end) throw new BackupError(`${file} is cut off behind line ${number}.`)
}

const ORDER: readonly Part['kind'][] = ['header', 'event', 'uses', 'image', 'end']

/** What is on a line behind a header. */
function partOn(text: string, line: number): Part | null {
  const event = fromLine(text)
  if (event) return { kind: 'event', event, line }
  const beside = besideOf(text)
  if (!beside) return null
  if ('tokenUses' in beside) return { kind: 'uses', uses: beside.tokenUses }
  return 'image' in beside ? { kind: 'image', image: beside.image, line } : { kind: 'end', end: beside.end }
}

/** The lines of a compressed file. `next` is the number of the one that is read, for errors. */
async function* textsOf(file: string, next: () => number): AsyncGenerator<string, void> {
  const input = createReadStream(file)
  const gunzip = createGunzip()
  // Whoever reads from it is told what goes wrong.
  pipeline(input, gunzip, () => {})
  try {
    for await (const { text, isWhole } of linesOf(gunzip, LIMITS.logLine.max)) {
      if (!isWhole) throw new BackupError(`${file} is cut off in line ${next()}.`)
      yield text
    }
  } catch (error) {
    throw translated(error, file, next())
  } finally {
    gunzip.destroy()
  }
  // What is no compressed text is passed over.
  if (gunzip.bytesWritten !== input.bytesRead)
    throw new BackupError(`${file}: there is something behind the end of the backup.`)
}

function translated(error: unknown, file: string, line: number): unknown {
  if (error instanceof LineTooLong) return new BackupError(`${file}: ${error.message} No backup has such a line.`)
  const code = codeOf(error) ?? ''
  if (code === 'Z_BUF_ERROR') return new BackupError(`${file} is cut off, in line ${line} or behind it.`)
  if (!code.startsWith('Z_')) return error
  const isOther = error instanceof Error && error.message === 'incorrect header check' && line === 1
  return new BackupError(
    isOther ? `${file} is not a backup of a hub.` : `${file} is damaged, in line ${line} or behind it.`
  )
}
