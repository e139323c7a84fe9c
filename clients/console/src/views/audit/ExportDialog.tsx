import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, failureOf, isAbort } from '../../app/hub.js'
import { type ExportFormat, fileName } from '../../model/auditExport.js'
import type { AuditFilter } from '../../model/auditFilter.js'
import { bytes, count, counted } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Notice } from '../../ui/Notice.js'
import { saveFile } from '../../ui/saveFile.js'
import { toast } from '../../ui/toasts.js'
import { EXPORT_MAX, exported, type Progress } from './exporting.js'

interface ExportDialogProps {
  readonly filter: AuditFilter
  /** The newest entry that is shown: what has happened since is not in the file. */
  readonly newest: number
  readonly close: () => void
}

/** Saves exactly what is shown, with all that is behind the end of the list, as a file. */
export function ExportDialog({ filter, newest, close }: ExportDialogProps) {
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
        Everything that this search finds, from entry {count(newest)} back to the oldest, one entry a line. Secrets are
        masked. One file holds at most {count(EXPORT_MAX.entries)} entries or {bytes(EXPORT_MAX.bytes)}.
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
