import { type ExportFormat, FORMATS } from '../../model/auditExport.js'
import type { AuditFilter } from '../../model/auditFilter.js'
import { pageOf } from './useEntries.js'

/** A file holds so many entries at most, and so many bytes: it is made in the browser. */
export const EXPORT_MAX = { entries: 50_000, bytes: 64_000_000 } as const
const PAGE = 500

export interface Progress {
  readonly entries: number
  readonly bytes: number
}

/** What an export came to; `isCut` where the search finds more than a file may hold. */
export interface Exported extends Progress {
  readonly file: Blob
  readonly isCut: boolean
}

/** Writes what a filter finds, from an entry on to the oldest, into a file, part by part; `signal` stops it. */
export async function exported(
  filter: AuditFilter,
  newest: number,
  format: ExportFormat,
  tell: (progress: Progress) => void,
  signal: AbortSignal
): Promise<Exported> {
  const { head, line, type } = FORMATS[format]
  const parts = [new Blob([head])]
  let progress: Progress = { entries: 0, bytes: parts[0]?.size ?? 0 }
  // A page begins before its cursor.
  for (let cursor: number | null = newest + 1; cursor !== null; ) {
    const page = await pageOf(filter, cursor, PAGE, signal)
    const wanted = page.entries.slice(0, EXPORT_MAX.entries - progress.entries)
    const part = new Blob(wanted.map(line))
    if (progress.bytes + part.size > EXPORT_MAX.bytes)
      return { ...progress, file: new Blob(parts, { type }), isCut: true }
    parts.push(part)
    progress = { entries: progress.entries + wanted.length, bytes: progress.bytes + part.size }
    tell(progress)
    cursor = page.next
    if (progress.entries === EXPORT_MAX.entries && (cursor !== null || wanted.length < page.entries.length))
      return { ...progress, file: new Blob(parts, { type }), isCut: true }
  }
  return { ...progress, file: new Blob(parts, { type }), isCut: false }
}
