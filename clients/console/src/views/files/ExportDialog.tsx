import { useState } from 'preact/hooks'
import { exportCollection, previewExport } from '../../app/exporting.js'
import { useLoadable } from '../../app/loaded.js'
import { useAct } from '../../app/useAct.js'
import { EXPORTS, type ExportFormat } from '../../model/exporting.js'
import { bytes } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Notice } from '../../ui/Notice.js'
import { Select } from '../../ui/Select.js'
import { Show } from '../../ui/Show.js'
import { saveFile } from '../../ui/saveFile.js'
import { toast } from '../../ui/toasts.js'
import css from './files.module.css'
import { Notes } from './Notes.js'

interface ExportProps {
  readonly id: string
  readonly name: string
  readonly close: () => void
}

/** Saving a collection as a file of another tool: what that has no place for is said first. */
export function ExportDialog({ id, name, close }: ExportProps) {
  const [format, setFormat] = useState<ExportFormat>('postman')
  const preview = useLoadable((signal) => previewExport(id, format, signal), [id, format])
  const act = useAct()
  const save = async () => {
    const isDone = await act.run(async () => {
      const { file, name } = await exportCollection(id, format)
      saveFile(file, name)
      toast(`Saved ${name}, ${bytes(file.size)}.`)
    })
    if (isDone) close()
  }
  return (
    <Dialog
      title={`Export “${name}”`}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            icon="export"
            isBusy={act.isBusy}
            disabled={preview.state.value.is !== 'ready'}
            onClick={save}
          >
            Save
          </Button>
        </>
      }
    >
      <Select label="As" value={format} options={EXPORTS} change={setFormat} />
      <Show of={preview}>
        {({ fileName, bytes: size, notes }) => (
          <>
            <p role="status">
              <bdi>{fileName}</bdi>, {bytes(size)}. <span class={css.about}>Secrets of the collection are in it.</span>
            </p>
            <Notes title="What this format has no place for" notes={notes} />
          </>
        )}
      </Show>
      {act.failure && <Notice tone="bad">{act.failure.message}</Notice>}
    </Dialog>
  )
}
