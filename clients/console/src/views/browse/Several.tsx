import { type ChosenRecord, chooseNone, chosen } from '../../app/chosen.js'
import { mayChange } from '../../app/records.js'
import { type Outcome, outermost, undeleteSeveral } from '../../app/several.js'
import { counted } from '../../model/numbers.js'
import { isMember } from '../../model/records.js'
import { Button, DialogButton, toast } from '../../ui/kit.js'
import css from './browse.module.css'
import { DeleteSeveral } from './DeleteSeveral.js'
import { ExportSeveral } from './ExportSeveral.js'
import { MoveSeveral } from './MoveSeveral.js'

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

/** Says what came of it; what the hub refused stays chosen, and is told with its reason. */
export function tellOutcome({ done, refused }: Outcome, verb: string, undo?: () => void): void {
  const [first] = refused
  const said = `${counted(done.length, 'record is', 'records are')} ${verb}.`
  const more = refused.length > 1 ? ` And ${refused.length - 1} more stay as they were.` : ''
  const text = first ? `${said} “${first.record.name}” is not: ${first.why}${more}` : said
  toast(text, undo && done.length > 0 ? { label: 'Undo', act: undo } : undefined)
}

/** Brings back what was deleted together. */
export async function bringBack(records: readonly ChosenRecord[]): Promise<void> {
  tellOutcome(await undeleteSeveral(records), 'back')
}
