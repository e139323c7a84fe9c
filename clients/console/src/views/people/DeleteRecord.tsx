import { knownOf, users } from '../../app/accounts.js'
import { catalog } from '../../app/catalog.js'
import { failureOf } from '../../app/hub.js'
import { outlineOfCollection } from '../../app/members.js'
import { linkTo } from '../../app/route.js'
import { counted } from '../../model/numbers.js'
import { type MemberKind, wordFor } from '../../model/records.js'
import { AskFirst } from '../../ui/AskFirst.js'
import { Notice } from '../../ui/Notice.js'
import { toast } from '../../ui/toasts.js'
import { deleteRecord, type Lockable, undeleteRecord } from './lockables.js'
import css from './people.module.css'

/** Asks before something is deleted: what goes with it, who opens it, and where the way back is. */
export function DeleteRecord({ record, close }: { readonly record: Lockable; readonly close: () => void }) {
  const { kind, id, name, isLocked } = record
  const naming = knownOf(users)?.filter((user) => user[`${kind}Access`].includes(id)).length ?? 0
  const remove = async () => {
    await deleteRecord(kind, id)
    catalog[kind].change((all) => all.filter((one) => one.id !== id))
    toast(`${name} is deleted.`, { label: 'Undelete', act: () => void bringBack(record) })
  }
  return (
    <AskFirst title={`Delete ${name}?`} verb={`Delete the ${wordFor(kind)}`} act={remove} close={close}>
      {isLocked && <Notice tone="note">It is locked, so that users do not delete it. Administrators can.</Notice>}
      <ul class={css.bullets}>
        {kind === 'collection' && <li>{insideOf(id)}</li>}
        {kind === 'environment' && <li>Environments that build on it stand by themselves then.</li>}
        {naming > 0 && (
          <li>
            {naming === 1
              ? 'One account names it in its access list'
              : `${counted(naming, 'account')} name it in their access lists`}
            , and would open nothing with that.
          </li>
        )}
      </ul>
      <p>
        It can be brought back whole from <a href={linkTo(['deleted'])}>Deleted</a>.
      </p>
    </AskFirst>
  )
}

/** What a collection takes with it. */
function insideOf(collectionId: string): string {
  const outline = knownOf(outlineOfCollection(collectionId))
  if (!outline) return 'Everything in it goes with it.'
  const members = [...outline.members.values()]
  if (members.length === 0) return 'Nothing is in it.'
  const all = (kind: MemberKind) => counted(members.filter((one) => one.kind === kind).length, kind)
  return `${all('folder')}, ${all('request')} and ${all('document')} go with it.`
}

async function bringBack({ kind, id, name }: Lockable): Promise<void> {
  try {
    await undeleteRecord(kind, id)
    await catalog[kind].reload()
    toast(`${name} is back.`)
  } catch (error) {
    toast(failureOf(error).message)
  }
}
