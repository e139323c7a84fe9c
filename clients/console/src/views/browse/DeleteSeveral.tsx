import { type ChosenRecord, chooseOnly } from '../../app/chosen.js'
import { linkTo } from '../../app/route.js'
import { deleteSeveral, heldTogether } from '../../app/several.js'
import { recordsCounted } from '../../model/importing.js'
import { withMarks } from '../../model/marks.js'
import { counted } from '../../model/numbers.js'
import { Ask } from '../../ui/kit.js'
import { bringBack, tellOutcome } from './Several.js'

interface SeveralProps {
  readonly records: readonly ChosenRecord[]
  readonly close: () => void
}

const NAMED_MOST = 10

/** Deleting several records: each is named, what goes with them is counted, and the way back is offered. */
export function DeleteSeveral({ records, close }: SeveralProps) {
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
            <bdi>{withMarks(name)}</bdi>
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
