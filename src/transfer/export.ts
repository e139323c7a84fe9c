import { createReadStream } from 'node:fs'
import { appendFile, truncate, writeFile } from 'node:fs/promises'
import { makePrivate } from '../files.js'
import { LIMITS } from '../limits.js'
import type { StoredEvent } from '../log/event.js'
import type { Storage } from '../storage/storage.js'
import { fromLine, linesOf, toLine } from './lines.js'

const PAGE = 1000
/** Lines are written when there are so many characters of them. */
const WRITE_LENGTH = 1024 * 1024

type LogEnd = Pick<StoredEvent, 'position' | 'chain'>

/** What an export file holds: proof for whoever imports it that nothing is missing. */
export interface Manifest {
  readonly format: 'collections-hub-log/1'
  readonly count: number
  readonly first: { readonly position: number; readonly chain: string } | null
  readonly last: { readonly position: number; readonly chain: string } | null
}

/** The manifest's place beside an export file. */
export function manifestPath(file: string): string {
  return `${file}.manifest.json`
}

/** The events above `after` up to the head as it is now, one by one. */
export async function* eventsOf(storage: Storage, after: number): AsyncGenerator<StoredEvent> {
  const { position: head } = await storage.head()
  for (let position = after; position < head; ) {
    const page = await storage.readLog(position, Math.min(PAGE, head - position))
    yield* page
    const last = page.at(-1)
    if (!last) return
    position = last.position
  }
}

/**
 * Writes the whole log to a file, one event a line, and its manifest beside it. A file that an earlier run left behind is
 * continued: what it holds stays, but for a last line that was cut off. Both are their owner's alone. `progress` is told
 * each position.
 */
export async function exportLog(
  storage: Storage,
  file: string,
  progress: (position: number) => void = () => {}
): Promise<Manifest> {
  makePrivate(file)
  const held = await heldBy(file)
  await truncate(file, held.bytes)
  const [first = null] = await storage.readHeaders(0, 1)
  let last: LogEnd | null = held.last
  let lines = ''
  for await (const event of eventsOf(storage, held.last?.position ?? 0)) {
    lines += toLine(event)
    last = event
    if (lines.length >= WRITE_LENGTH || event.position % PAGE === 0) {
      await appendFile(file, lines)
      lines = ''
      progress(event.position)
    }
  }
  await appendFile(file, lines)
  const manifest: Manifest = {
    format: 'collections-hub-log/1',
    count: last?.position ?? 0,
    first: first && { position: first.position, chain: first.chain },
    last: last && { position: last.position, chain: last.chain }
  }
  makePrivate(manifestPath(file))
  await writeFile(manifestPath(file), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** Where the last event is that a file holds in full, and how many bytes the file has up to there. */
async function heldBy(file: string): Promise<{ readonly last: LogEnd | null; readonly bytes: number }> {
  const held: { last: LogEnd | null; bytes: number } = { last: null, bytes: 0 }
  for await (const line of linesOf(createReadStream(file), LIMITS.logLine.max)) {
    const event = line.isWhole ? fromLine(line.text) : null
    if (event?.position !== (held.last?.position ?? 0) + 1) break
    held.last = { position: event.position, chain: event.chain }
    held.bytes += line.bytes
  }
  return held
}
