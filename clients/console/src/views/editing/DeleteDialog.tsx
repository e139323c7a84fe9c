import { draftPlace } from '../../app/drafts.js'
import { failureOf } from '../../app/hub.js'
import { knownOf } from '../../app/loaded.js'
import { outlineOfCollection } from '../../app/members.js'
import { deleteRecord, type Loaded, undelete, whyNotDelete } from '../../app/records.js'
import { go, linkTo, route } from '../../app/route.js'
import { isBack, recordsCounted } from '../../model/importing.js'
import { heldBy } from '../../model/outline.js'
import { KINDS, pathOf, type RecordRef, refOf } from '../../model/records.js'
import { Ask, Button, Dialog, toast } from '../../ui/kit.js'

interface DeleteProps {
  readonly record: RecordRef
  readonly loaded: Loaded
  readonly close: () => void
}

/** Deleting a record: what goes with it is named, and the way back is offered. */
export function DeleteDialog({ record, loaded, close }: DeleteProps) {
  const { name } = loaded.content
  const whyNot = whyNotDelete(loaded)
  const title = `Delete “${name}”?`
  if (whyNot) {
    return (
      <Dialog title={title} close={close} actions={<Button onClick={close}>Close</Button>}>
        <p>{whyNot}</p>
      </Dialog>
    )
  }
  const held = heldWith(loaded)
  const remove = async () => {
    await deleteRecord(loaded)
    draftPlace(record).drop()
    close()
    // Who has gone on before the hub answered is elsewhere by now.
    if (refOf(route.value.path)?.id === record.id) go(linkTo(placeOf(loaded)), { replace: true })
    toast(`“${name}” is deleted.`, { label: 'Undo', act: () => bringBack(record, name) })
  }
  return (
    <Ask isDanger title={title} verb="Delete" act={remove} close={close}>
      <p>
        {held !== '' && `With it go ${held}. `}You find it in <a href={linkTo(['deleted'])}>Deleted</a> then, and can
        bring it back.
      </p>
    </Ask>
  )
}

/** What goes with it, as people say it; an empty text where nothing does. */
function heldWith({ kind, content }: Loaded): string {
  if (kind !== 'collection' && kind !== 'folder') return ''
  const outline = knownOf(outlineOfCollection(kind === 'collection' ? content.id : content.collectionId))
  if (!outline) return 'all that it holds'
  return recordsCounted(heldBy(outline, kind === 'folder' ? content.id : null))
}

/** Where the record was: who deletes it is taken there. */
function placeOf({ kind, content }: Loaded): readonly string[] {
  if (kind === 'collection') return []
  if (!('collectionId' in content)) return [KINDS[kind].plural]
  const { collectionId } = content
  const folderId = kind === 'folder' ? content.parentFolderId : content.folderId
  return folderId ? pathOf({ kind: 'folder', id: folderId, collectionId }) : ['collections', collectionId]
}

async function bringBack(record: RecordRef, name: string): Promise<void> {
  try {
    toast(isBack(record.kind, name, await undelete(record)))
    go(linkTo(pathOf(record)))
  } catch (error) {
    toast(failureOf(error).message, { label: 'Deleted', act: () => go(linkTo(['deleted'])) })
  }
}
