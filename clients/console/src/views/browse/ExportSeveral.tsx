import { useState } from 'preact/hooks'
import { type ChosenRecord, chooseNone } from '../../app/chosen.js'
import { exported, previewExport } from '../../app/importing.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { EXPORTS, type ExportFormat, type ExportPreview } from '../../model/importing.js'
import { counted } from '../../model/numbers.js'
import { Ask, Notice, Select, Show, saveFile, toast } from '../../ui/kit.js'
import { Notes } from '../files/ImportPlan.js'
import type { SeveralProps } from './Several.js'

/** So many records of one collection can be named for one file. */
const NAMED_MOST = 100

/** Saving collections and what is in them: each collection is a file of its own, with what is chosen of it. */
export function ExportSeveral({ records, close }: SeveralProps) {
  const [format, setFormat] = useState<ExportFormat>('postman')
  const files = filesOf(records)
  const isTooMany = [...files.values()].some((only) => only && only.length > NAMED_MOST)
  const previews = useLoadable(
    async (signal) => {
      const known: (ExportPreview & { readonly id: string })[] = []
      // One after another: the hub writes one file of an account at a time.
      if (!isTooMany)
        for (const [id, only] of files)
          known.push({ id, ...(await previewExport('collection', id, format, signal, only)) })
      return known
    },
    [format]
  )
  const save = async () => {
    for (const [id, only] of files) {
      const { file, name } = await exported('collection', id, format, only)
      saveFile(file, name)
    }
    close()
    chooseNone()
    toast(`Saved ${counted(files.size, 'file')}.`)
  }
  return (
    <Ask
      title={`Export ${counted(records.length, 'record')}`}
      verb="Save"
      icon="export"
      disabled={isTooMany || knownOf(previews) === undefined}
      act={save}
      close={close}
    >
      <Select label="As" value={format} options={EXPORTS.collection} change={setFormat} />
      {isTooMany && (
        <Notice tone="bad">Of one collection {NAMED_MOST} records at most: choose a folder instead.</Notice>
      )}
      <p>
        {counted(files.size, 'file')}: one for each collection.{' '}
        <span class="hint">Secrets of the collections are in it.</span>
      </p>
      <Show of={previews}>
        {(all) => (
          <>
            {all.map(({ id, fileName, notes }) => (
              <Notes key={id} title={`What ${fileName} has no place for`} notes={notes} />
            ))}
          </>
        )}
      </Show>
    </Ask>
  )
}

/** The files that these become, by collection: of each what is in it, or null for all. */
function filesOf(records: readonly ChosenRecord[]): ReadonlyMap<string, readonly string[] | null> {
  const files = new Map<string, readonly string[] | null>()
  for (const { kind, id, collectionId } of records) {
    if (kind === 'collection') files.set(id, null)
    else if (collectionId && files.get(collectionId) !== null)
      files.set(collectionId, [...(files.get(collectionId) ?? []), id])
  }
  return files
}
