import { useState } from 'preact/hooks'
import { type DeletedRecord, undelete } from '../../app/deleted.js'
import { type Failure, failureOf } from '../../app/hub.js'
import { go, linkTo } from '../../app/route.js'
import { isBack, recordsCounted } from '../../model/deleted.js'
import { kindTitle } from '../../model/logKinds.js'
import { pathOf } from '../../model/records.js'
import { Button } from '../../ui/Button.js'
import { Icon } from '../../ui/Icon.js'
import { KIND_ICONS } from '../../ui/kindIcons.js'
import { Notice } from '../../ui/Notice.js'
import { Time } from '../../ui/Time.js'
import { toast } from '../../ui/toasts.js'
import css from './Deleted.module.css'

interface DeletedLineProps {
  readonly record: DeletedRecord
  readonly reload: () => Promise<void>
}

/** One thing that is gone: what it was, by whom and when, what went with it; and the way back. */
export function DeletedLine({ record, reload }: DeletedLineProps) {
  const { kind, name, collection, deletedAt, deletedBy, held } = record
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const bringBack = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const restored = await undelete(record)
      const { id, collectionId } = record
      const path = pathOf({ kind, id, collectionId })
      toast(isBack(kind, name, restored), { label: 'Open', act: () => go(linkTo(path)) })
      await reload()
      // The line is gone, and with it the button that had the focus.
      document.getElementById('content')?.focus()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const also = recordsCounted({ folder: held.folders, request: held.requests, document: held.documents })
  return (
    <li class={css.line}>
      <Icon name={KIND_ICONS[kind]} />
      <div class={css.words}>
        <p class={css.name}>
          <bdi>{name}</bdi>
        </p>
        <p class={css.about}>
          {kindTitle(kind)}
          {collection && <Origin name={collection.name} />}, deleted by <bdi>{deletedBy.name ?? 'somebody'}</bdi>{' '}
          <Time at={deletedAt} />
          {also && `, with ${also}`}
        </p>
        {failure && <Notice tone="bad">{failure.message}</Notice>}
      </div>
      <Button isBusy={isBusy} aria-label={`Undelete ${name}`} onClick={bringBack}>
        Undelete
      </Button>
    </li>
  )
}

function Origin({ name }: { readonly name: string | null }) {
  return name === null ? (
    <> of a collection that is gone too</>
  ) : (
    <>
      {' '}
      in <bdi>{name}</bdi>
    </>
  )
}
