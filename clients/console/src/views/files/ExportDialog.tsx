import { useState } from 'preact/hooks'
import { exported, previewExport } from '../../app/importing.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { EXPORTS, type ExportedKind, type ExportFormat } from '../../model/importing.js'
import { bytes } from '../../model/numbers.js'
import { Ask, Select, Show, saveFile, toast } from '../../ui/kit.js'
import { Notes } from './ImportPlan.js'

interface ExportProps {
  readonly kind: ExportedKind
  readonly id: string
  readonly name: string
  readonly close: () => void
}

/** What of it nobody should read over a shoulder. */
const SECRETS: Readonly<Record<ExportedKind, string>> = {
  collection: 'Secrets of the collection are in it.',
  environment: 'Its secrets are in it, where the format has a place for them.'
}

/** Saving a record as a file of another tool: what that has no place for is said first. */
export function ExportDialog({ kind, id, name, close }: ExportProps) {
  const [format, setFormat] = useState<ExportFormat>('postman')
  const preview = useLoadable((signal) => previewExport(kind, id, format, signal), [id, format])
  const save = async () => {
    const { file, name } = await exported(kind, id, format)
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
      <Select label="As" value={format} options={EXPORTS[kind]} change={setFormat} />
      <Show of={preview}>
        {({ fileName, bytes: size, notes }) => (
          <>
            <p role="status">
              <bdi>{fileName}</bdi>, {bytes(size)}. <span class="hint">{SECRETS[kind]}</span>
            </p>
            <Notes title="What this format has no place for" notes={notes} />
          </>
        )}
      </Show>
    </Ask>
  )
}
