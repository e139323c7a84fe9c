import { useState } from 'preact/hooks'
import { exportCollection, previewExport } from '../../app/importing.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { EXPORTS, type ExportFormat } from '../../model/importing.js'
import { bytes } from '../../model/numbers.js'
import { Ask, Select, Show, saveFile, toast } from '../../ui/kit.js'
import { Notes } from './ImportPlan.js'

interface ExportProps {
  readonly id: string
  readonly name: string
  readonly close: () => void
}

/** Saving a collection as a file of another tool: what that has no place for is said first. */
export function ExportDialog({ id, name, close }: ExportProps) {
  const [format, setFormat] = useState<ExportFormat>('postman')
  const preview = useLoadable((signal) => previewExport(id, format, signal), [id, format])
  const save = async () => {
    const { file, name } = await exportCollection(id, format)
    saveFile(file, name)
    toast(`Saved ${name}, ${bytes(file.size)}.`)
    close()
  }
  return (
    <Ask
      title={`Export “${name}”`}
      verb="Save"
      icon="export"
      disabled={knownOf(preview) === undefined}
      act={save}
      close={close}
    >
      <Select label="As" value={format} options={EXPORTS} change={setFormat} />
      <Show of={preview}>
        {({ fileName, bytes: size, notes }) => (
          <>
            <p role="status">
              <bdi>{fileName}</bdi>, {bytes(size)}. <span class="hint">Secrets of the collection are in it.</span>
            </p>
            <Notes title="What this format has no place for" notes={notes} />
          </>
        )}
      </Show>
    </Ask>
  )
}
