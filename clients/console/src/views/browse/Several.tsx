import { useState } from 'preact/hooks'
import { type ChosenRecord, chooseNone, chooseOnly, chosen } from '../../app/chosen.js'
import { knownOf } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { mayChange } from '../../app/records.js'
import { linkTo } from '../../app/route.js'
import {
  deleteSeveral,
  heldTogether,
  moveSeveral,
  type Outcome,
  outermost,
  undeleteSeveral
} from '../../app/several.js'
import { unfold } from '../../app/unfolded.js'
import { recordsCounted } from '../../model/importing.js'
import { counted } from '../../model/numbers.js'
import { isMember } from '../../model/records.js'
import { Ask, Button, DialogButton, Name, Select, toast } from '../../ui/kit.js'
import { CollectionSelect, foldersFor, ROOT } from '../editing/MoveDialog.js'
import css from './browse.module.css'
import { ExportSeveral } from './ExportSeveral.js'

export interface SeveralProps {
  readonly records: readonly ChosenRecord[]
  readonly close: () => void
}

/** What can be done with all that is chosen in the tree; nothing where nothing is. */
export const Several = () => (chosen.value.length === 0 ? null : <Chosen records={chosen.value} />)

function Chosen({ records }: { readonly records: readonly ChosenRecord[] }) {
  const outer = outermost(records)
  const isMine = outer.every((one) => mayChange(one))
  return (
    <section class={`${css.several} stack frame gap-4`} aria-label="Chosen in the tree">
      <p class="row between gap-4" role="status">
        {counted(records.length, 'record')} chosen
        <Button kind="quiet" icon="close" aria-label="Choose none" onClick={chooseNone} />
      </p>
      <div class="flex wrap gap-4">
        {isMine && outer.every(({ kind }) => isMember(kind)) && (
          <DialogButton dialog={(close) => <MoveSeveral records={outer} close={close} />}>Move…</DialogButton>
        )}
        <DialogButton dialog={(close) => <ExportSeveral records={outer} close={close} />}>Export…</DialogButton>
        {isMine && (
          <DialogButton kind="danger" dialog={(close) => <DeleteSeveral records={outer} close={close} />}>
            Delete…
          </DialogButton>
        )}
      </div>
    </section>
  )
}

/** Moving several members behind all others of a folder, here or in another collection. */
function MoveSeveral({ records, close }: SeveralProps) {
  const [collection, setCollection] = useState(records[0]?.collectionId ?? '')
  const [folder, setFolder] = useState(ROOT)
  const outline = knownOf(outlineOfCollection(collection))
  const ids = records.map(({ id }) => id)
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
      <Select label="Folder" value={folder} options={foldersFor(outline, ids)} change={setFolder} />
      <p>They go behind all others there, in the order in which they were chosen.</p>
    </Ask>
  )
}

const NAMED_MOST = 10

/** Deleting several records: each is named, what goes with them is counted, and the way back is offered. */
function DeleteSeveral({ records, close }: SeveralProps) {
  const held = recordsCounted(heldTogether(records))
  const remove = async () => {
    const outcome = await deleteSeveral(records)
    close()
    chooseOnly(outcome.refused.map(({ record }) => record))
    tellOutcome(outcome, 'deleted', () => void bringBack(outcome.done))
  }
  return (
    <Ask isDanger title={`Delete ${counted(records.length, 'record')}?`} verb="Delete" act={remove} close={close}>
      <ul>
        {records.slice(0, NAMED_MOST).map(({ id, name }) => (
          <li key={id}>
            <Name of={name} />
          </li>
        ))}
        {records.length > NAMED_MOST && <li>and {counted(records.length - NAMED_MOST, 'more', 'more')}</li>}
      </ul>
      <p>
        {held !== '' && `With them go ${held}. `}You find them in <a href={linkTo(['deleted'])}>Deleted</a> then, and
        can bring them back.
      </p>
    </Ask>
  )
}

/** Says what came of it; what the hub refused stays chosen, and is told with its reason. */
function tellOutcome({ done, refused }: Outcome, verb: string, undo?: () => void): void {
  const [first] = refused
  const said = `${counted(done.length, 'record is', 'records are')} ${verb}.`
  const more = refused.length > 1 ? ` And ${refused.length - 1} more stay as they were.` : ''
  const text = first ? `${said} “${first.record.name}” is not: ${first.why}${more}` : said
  toast(text, undo && done.length > 0 ? { label: 'Undo', act: undo } : undefined)
}

/** Brings back what was deleted together. */
async function bringBack(records: readonly ChosenRecord[]): Promise<void> {
  tellOutcome(await undeleteSeveral(records), 'back')
}
