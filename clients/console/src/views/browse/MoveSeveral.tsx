import { useState } from 'preact/hooks'
import { type ChosenRecord, chooseOnly } from '../../app/chosen.js'
import { knownOf } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { moveSeveral, outermost } from '../../app/several.js'
import { unfold } from '../../app/unfolded.js'
import { counted } from '../../model/numbers.js'
import { Ask, Select } from '../../ui/kit.js'
import { CollectionSelect, foldersFor, ROOT } from '../editing/MoveDialog.js'
import { tellOutcome } from './Several.js'

/** Moving several members behind all others of a folder, here or in another collection. */
export function MoveSeveral({
  records,
  close
}: {
  readonly records: readonly ChosenRecord[]
  readonly close: () => void
}) {
  const [collection, setCollection] = useState(records[0]?.collectionId ?? '')
  const [folder, setFolder] = useState(ROOT)
  const outline = knownOf(outlineOfCollection(collection))
  const move = async () => {
    const folderId = folder === ROOT ? null : folder
    const outcome = await moveSeveral(outermost(records), { collectionId: collection, folderId })
    close()
    unfold([collection, ...(folderId === null ? [] : [folderId])])
    chooseOnly(outcome.refused.map(({ record }) => record))
    tellOutcome(outcome, 'moved')
  }
  return (
    <Ask title={`Move ${counted(records.length, 'record')}`} verb="Move" disabled={!outline} act={move} close={close}>
      <CollectionSelect
        value={collection}
        change={(chosen) => {
          setCollection(chosen)
          setFolder(ROOT)
        }}
      />
      <Select
        label="Folder"
        value={folder}
        options={foldersFor(
          outline,
          records.map(({ id }) => id)
        )}
        change={setFolder}
      />
      <p>They go behind all others there, in the order in which they were chosen.</p>
    </Ask>
  )
}
