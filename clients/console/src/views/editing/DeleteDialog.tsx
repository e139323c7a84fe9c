import { useState } from 'preact/hooks'
import { undelete } from '../../app/deleted.js'
import { deleteRecord, whyNotDelete } from '../../app/deleting.js'
import { draftPlace } from '../../app/drafts.js'
import { type Failure, failureOf } from '../../app/hub.js'
import { outlineOfCollection } from '../../app/members.js'
import type { Loaded } from '../../app/records.js'
import { go, linkTo } from '../../app/route.js'
import { isBack, recordsCounted } from '../../model/deleted.js'
import { heldBy } from '../../model/held.js'
import { KINDS, pathOf, type RecordRef } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { Dialog } from '../../ui/Dialog.js'
import { Notice } from '../../ui/Notice.js'
import { toast } from '../../ui/toasts.js'

interface DeleteProps {
  readonly record: RecordRef
  readonly loaded: Loaded
  readonly close: () => void
}

/** Deleting a record: what goes with it is named, and the way back is offered. */
export function DeleteDialog({ record, loaded, close }: DeleteProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const { name } = loaded.content
  const whyNot = whyNotDelete(loaded)
  const held = heldWith(loaded)
  const remove = async () => {
    setBusy(true)
    try {
      await deleteRecord(loaded)
      draftPlace(record).drop()
      close()
      go(linkTo(placeOf(loaded)), { replace: true })
      toast(`“${name}” is deleted.`, { label: 'Undo', act: () => bringBack(record, name) })
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={`Delete “${name}”?`}
      close={close}
      actions={
        <>
          <Button onClick={close}>{whyNot ? 'Close' : 'Cancel'}</Button>
          {!whyNot && (
            <Button kind="danger" isBusy={isBusy} onClick={remove}>
              Delete
            </Button>
          )}
        </>
      }
    >
      {whyNot ? (
        <p>{whyNot}</p>
      ) : (
        <p>
          {held !== '' && `With it go ${held}. `}You find it in <a href={linkTo(['deleted'])}>Deleted</a> then, and can
          bring it back.
        </p>
      )}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}

/** What goes with it, as people say it; an empty text where nothing does. */
function heldWith({ kind, content }: Loaded): string {
  if (kind !== 'collection' && kind !== 'folder') return ''
  const state = outlineOfCollection(kind === 'collection' ? content.id : content.collectionId).state.value
  if (state.is !== 'ready') return 'all that it holds'
  return recordsCounted(heldBy(state.value, kind === 'folder' ? content.id : null))
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
