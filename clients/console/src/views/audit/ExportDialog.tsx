import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, failureOf, isAbort } from '../../app/hub.js'
import { type ExportFormat, FORMATS, fileName } from '../../model/auditExport.js'
import { type Facets, foundWords } from '../../model/auditFacets.js'
import type { AuditFilter } from '../../model/auditFilter.js'
import { bytes, count, counted } from '../../model/numbers.js'
import { Button, Dialog, Notice, saveFile, toast } from '../../ui/kit.js'
import { pageOf } from './useEntries.js'

interface ExportDialogProps {
  readonly filter: AuditFilter
  /** The newest entry that is shown: what has happened since is not in the file. */
  readonly newest: number
  /** What the page has counted of this search, once it has. */
  readonly facets: Facets | undefined
  readonly close: () => void
}

/** Saves exactly what is shown, with all that is behind the end of the list, as a file. */
export function ExportDialog({ filter, newest, facets, close }: ExportDialogProps) {
  const [progress, setProgress] = useState<Progress>()
  const [failure, setFailure] = useState<Failure>()
  const [cut, setCut] = useState<Progress>()
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (format: ExportFormat) => {
    const mine = new AbortController()
    running.current = mine
    setFailure(undefined)
    setCut(undefined)
    setProgress({ entries: 0, bytes: 0 })
    try {
      const { file, isCut, ...size } = await exported(filter, newest, format, setProgress, mine.signal)
      saveFile(file, fileName(format, new Date()))
      if (isCut) setCut(size)
      else {
        toast(`Saved ${counted(size.entries, 'entry', 'entries')}, ${bytes(size.bytes)}.`)
        close()
      }
    } catch (error) {
      if (!isAbort(error)) setFailure(failureOf(error))
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <Dialog
      title="Export"
      close={close}
      actions={
        progress ? (
          <Button onClick={() => running.current?.abort()}>Stop</Button>
        ) : (
          <>
            <Button icon="export" onClick={() => run('csv')}>
              Save as CSV
            </Button>
            <Button icon="export" kind="primary" onClick={() => run('ndjson')}>
              Save as NDJSON
            </Button>
          </>
        )
      }
    >
      <p>
        This search finds {facets ? foundWords(facets) : 'entries that are still being counted'}, from entry{' '}
        {count(newest)} back to the oldest. The file has each of them in a line, also those that the page folds. Secrets
        are masked. One file holds at most {count(EXPORT_MAX.entries)} entries or {bytes(EXPORT_MAX.bytes)}.
      </p>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      {cut && (
        <Notice tone="note">
          Saved the newest {counted(cut.entries, 'entry', 'entries')}. There are more than one file holds: narrow the
          search, for example to a month, to get the rest.
        </Notice>
      )}
      {progress && (
        <p role="status">
          {counted(progress.entries, 'entry', 'entries')} so far, {bytes(progress.bytes)}.
        </p>
      )}
    </Dialog>
  )
}

/** A file holds so many entries at most, and so many bytes: it is made in the browser. */
const EXPORT_MAX = { entries: 50_000, bytes: 64_000_000 } as const
const PAGE = 500

interface Progress {
  readonly entries: number
  readonly bytes: number
}

/** Writes what a filter finds, from an entry on to the oldest, into a file, part by part, as far as a file may hold it. */
async function exported(
  filter: AuditFilter,
  newest: number,
  format: ExportFormat,
  tell: (progress: Progress) => void,
  signal: AbortSignal
) {
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
