import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { LIMITS } from '../limits.js'
import type { StoredEvent } from '../log/event.js'
import { fromLine, LineTooLong, linesOf } from '../transfer/lines.js'
import { BackupError, type End, endOf, type Header, headerOf, type Image, imageOf, sumOf, usesOf } from './format.js'

/** A part of a backup file, in the order in which they are in it. */
export type Part =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'event'; readonly event: StoredEvent; readonly line: number }
  | { readonly kind: 'uses'; readonly uses: readonly (readonly [string, string])[] }
  | { readonly kind: 'image'; readonly image: Image; readonly line: number }
  | { readonly kind: 'end'; readonly end: End }

/**
 * The parts of a backup file, one after another; a line is held at a time. Throws `BackupError` that names the line for
 * a file that is cut off, damaged, in another order, or not what its sum says; that is known only after the last part.
 */
export async function* partsOf(file: string): AsyncGenerator<Part, void> {
  const hash = createHash('sha256')
  let number = 0
  let stage: Part['kind'] | 'sum' | null = null
  for await (const text of textsOf(file, () => number + 1)) {
    number++
    const wrong = (what: string) => new BackupError(`${file}, line ${number}: ${what}`)
    if (stage === 'sum') throw wrong('there is something behind the end of the backup.')
    if (stage === 'end') {
      if (sumOf(text) !== hash.digest('hex')) throw wrong('the sum is another one: the file was changed.')
      stage = 'sum'
      continue
    }
    hash.update(`${text}\n`)
    const part = partOn(text, number, file)
    if (!part || !follows(part.kind, stage)) throw wrong('this is not what comes here: the file is damaged.')
    stage = part.kind
    yield part
  }
  if (stage !== 'sum') throw new BackupError(`${file} is cut off behind line ${number}.`)
}

function partOn(text: string, number: number, file: string): Part | null {
  if (number === 1) return { kind: 'header', header: headerOf(text, file) }
  const event = fromLine(text)
  if (event) return { kind: 'event', event, line: number }
  const uses = usesOf(text)
  if (uses) return { kind: 'uses', uses }
  const image = imageOf(text)
  if (image) return { kind: 'image', image, line: number }
  const end = endOf(text)
  return end && { kind: 'end', end }
}

const ORDER = ['header', 'event', 'uses', 'image', 'end'] as const

function follows(kind: Part['kind'], stage: Part['kind'] | null): boolean {
  if (stage === null) return kind === 'header'
  return kind !== 'header' && ORDER.indexOf(kind) >= ORDER.indexOf(stage)
}

/** The lines of a compressed file. `next` is the number of the one that is read, for errors. */
async function* textsOf(file: string, next: () => number): AsyncGenerator<string, void> {
  const promised = await lengthIn(file)
  let length = 0
  const gunzip = createGunzip()
  // Whoever reads from it is told what goes wrong.
  pipeline(createReadStream(file), gunzip, () => {})
  try {
    for await (const { text, isWhole, bytes } of linesOf(gunzip, LIMITS.logLine.max)) {
      if (!isWhole) throw new BackupError(`${file} is cut off in line ${next()}.`)
      length += bytes
      yield text
    }
  } catch (error) {
    throw translated(error, file, next())
  } finally {
    gunzip.destroy()
  }
  // Without this, what is behind the compressed text would be passed over.
  if (promised !== null && length % 2 ** 32 !== promised)
    throw new BackupError(`${file}: there is something behind the end of the backup.`)
}

const LENGTH_BYTES = 4

/** The length of the text, modulo 2^32, with which a compressed file ends; null for one that is shorter than that. */
async function lengthIn(file: string): Promise<number | null> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    if (size < LENGTH_BYTES) return null
    const { buffer } = await handle.read(Buffer.alloc(LENGTH_BYTES), 0, LENGTH_BYTES, size - LENGTH_BYTES)
    return buffer.readUInt32LE()
  } finally {
    await handle.close()
  }
}

function translated(error: unknown, file: string, line: number): unknown {
  if (error instanceof LineTooLong) return new BackupError(`${file}: ${error.message} No backup has such a line.`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return new BackupError(`${file} is cut off, in line ${line} or behind it.`)
  if (!code.startsWith('Z_')) return error
  const isOther = error instanceof Error && error.message === 'incorrect header check' && line === 1
  return new BackupError(
    isOther ? `${file} is not a backup of a hub.` : `${file} is damaged, in line ${line} or behind it.`
  )
}
