import { useState } from 'preact/hooks'
import {
  type Exported,
  exportCollection,
  exportEnvironment,
  previewEnvironment,
  previewExport
} from '../../app/importing.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { ENVIRONMENT_EXPORTS, EXPORTS, type ExportPreview, type Formats } from '../../model/importing.js'
import { bytes } from '../../model/numbers.js'
import { Ask, Select, Show, saveFile, toast } from '../../ui/kit.js'
import { Notes } from './ImportPlan.js'

interface Exporting {
  readonly id: string
  readonly name: string
  readonly close: () => void
}

interface ExportProps<F extends string> extends Exporting {
  readonly formats: Formats<F>
  /** What of it nobody should read over a shoulder. */
  readonly secrets: string
  readonly preview: (id: string, format: F, signal: AbortSignal) => Promise<ExportPreview>
  readonly file: (id: string, format: F) => Promise<Exported>
}

/** Saving a collection as a file of another tool: what that has no place for is said first. */
export const ExportCollection = (props: Exporting) => (
  <ExportDialog
    {...props}
    formats={EXPORTS}
    secrets="Secrets of the collection are in it."
    preview={previewExport}
    file={exportCollection}
  />
)

/** The same of an environment. */
export const ExportEnvironment = (props: Exporting) => (
  <ExportDialog
    {...props}
    formats={ENVIRONMENT_EXPORTS}
    secrets="Its secrets are in it, where the format has a place for them."
    preview={previewEnvironment}
    file={exportEnvironment}
  />
)

function ExportDialog<F extends string>({ id, name, formats, secrets, close, ...ask }: ExportProps<F>) {
  const [format, setFormat] = useState<F>(formats[0].value)
  const preview = useLoadable((signal) => ask.preview(id, format, signal), [id, format])
  const save = async () => {
    const { file, name } = await ask.file(id, format)
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
      <Select label="As" value={format} options={formats} change={setFormat} />
      <Show of={preview}>
        {({ fileName, bytes: size, notes }) => (
          <>
            <p role="status">
              <bdi>{fileName}</bdi>, {bytes(size)}. <span class="hint">{secrets}</span>
            </p>
            <Notes title="What this format has no place for" notes={notes} />
          </>
        )}
      </Show>
    </Ask>
  )
}
