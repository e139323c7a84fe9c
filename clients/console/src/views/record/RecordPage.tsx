import { useEffect, useRef, useState } from 'preact/hooks'
import { isOwn, useReload } from '../../app/live.js'
import { useLoadable } from '../../app/loaded.js'
import { collectionOf, type Loaded, loadRecord, mayChange, mayEdit, mayShare } from '../../app/records.js'
import { go, linkWith, route } from '../../app/route.js'
import { isMember, KINDS, type RecordRef } from '../../model/records.js'
import { Button, ButtonLink, Later, Page, Show, Skeleton, Time } from '../../ui/kit.js'
import { DraftNotice } from '../editing/DraftNotice.js'
import { NewMenu } from '../editing/NewRecord.js'
import { RecordMenu } from '../editing/RecordMenu.js'
import { pastView } from '../past/AsItWas.js'
import { Past } from '../past/Past.js'
import { Crumbs } from './FolderView.js'
import { Referred } from './Referred.js'
import css from './record.module.css'
import { Threads } from './Threads.js'

/** A record as people read it, with its past beside it. */
export function RecordPage({ record: ref }: { readonly record: RecordRef }) {
  const past = pastView(ref)
  const isEditing = mayEdit() && past === null && route.value.query.get('edit') === 'yes'
  return (
    <div class={isEditing ? '' : `${css.both} stack`}>
      {past ?? <Present record={ref} isEditing={isEditing} />}
      {!isEditing && (
        <aside class={`${css.past} sunken`} aria-label="History">
          <Past record={ref} />
        </aside>
      )}
    </div>
  )
}

function Present({ record: ref, isEditing }: { readonly record: RecordRef; readonly isEditing: boolean }) {
  // In another collection it is another state of it: what is done next names that.
  const record = useLoadable((signal) => loadRecord(ref, signal), [ref.kind, ref.id, ref.collectionId])
  useReload(record, (change) => isOwn(change) || (change.kind === ref.kind && change.id === ref.id))
  const editLink = useReturningFocus(isEditing)
  const isGone = record.state.value.is === 'failed'
  return (
    <div>
      <Show of={record} skeleton={<Skeleton lines={8} />}>
        {(loaded) => (
          <Page
            title={loaded.content.name}
            above={<Crumbs record={ref} />}
            lead={
              <>
                {KINDS[loaded.kind].label}, changed <Time at={loaded.content.updatedAt} />
                {mayEdit() && !isMine(loaded) && '. You may look at it and not change it'}
              </>
            }
            actions={
              <>
                {isMine(loaded) && !isEditing && (
                  <span ref={editLink}>
                    <ButtonLink icon="edit" href={linkWith({ edit: 'yes', at: null })}>
                      Edit
                    </ButtonLink>
                  </span>
                )}
                {!isEditing && <RecordActions record={ref} loaded={loaded} />}
              </>
            }
          >
            {isEditing ? (
              <Later load={loadEditor}>
                {({ RecordEditor }) => <RecordEditor record={ref} loading={record} loaded={loaded} />}
              </Later>
            ) : (
              <>
                {mayEdit() && <DraftNotice record={ref} />}
                <Referred loaded={loaded} />
                <Threads record={{ ...ref, collectionId: collectionOf(loaded) }} />
              </>
            )}
          </Page>
        )}
      </Show>
      {mayEdit() && isGone && <DraftNotice record={ref} isGone />}
    </div>
  )
}

/** Whether whoever is signed in may change it. */
const isMine = (loaded: Loaded) => mayChange({ id: loaded.content.id, collectionId: collectionOf(loaded) })

const loadEditor = () => import('../editing/RecordEditor.js')
const loadCopying = () => import('./CopyDialog.js')
const loadSharing = () => import('./ShareDialog.js')

/** Who comes back from the form stands at the link that led there. */
function useReturningFocus(isEditing: boolean) {
  const place = useRef<HTMLSpanElement>(null)
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    if (wasEditing.current && !isEditing) place.current?.querySelector('a')?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  return place
}

/** What else can be done with a record. */
function RecordActions({ record, loaded }: { readonly record: RecordRef; readonly loaded: Loaded }) {
  const [isCopying, setCopying] = useState(false)
  const [isSharing, setSharing] = useState(false)
  // What is in a collection is shared with it.
  const kind = isMember(loaded.kind) ? null : loaded.kind
  return (
    <>
      {loaded.kind === 'request' && (
        <Button icon="copy" onClick={() => setCopying(true)}>
          Copy as…
        </Button>
      )}
      {loaded.kind === 'request' && isCopying && (
        <Later load={loadCopying}>
          {({ CopyDialog }) => <CopyDialog request={loaded.content} close={() => setCopying(false)} />}
        </Later>
      )}
      {kind !== null && mayShare(loaded.content) && (
        <Button icon="people" onClick={() => setSharing(true)}>
          Share…
        </Button>
      )}
      {isSharing && kind !== null && (
        <Later load={loadSharing}>
          {({ ShareDialog }) => (
            <ShareDialog kind={kind} id={record.id} name={loaded.content.name} close={() => setSharing(false)} />
          )}
        </Later>
      )}
      {mayEdit() && loaded.kind === 'collection' && (
        <Button icon="history" onClick={() => go(linkWith({ at: new Date().toISOString() }))}>
          As it was…
        </Button>
      )}
      {isMine(loaded) && loaded.kind === 'collection' && (
        <NewMenu
          label="New in this collection"
          kinds={INSIDE}
          container={{ collectionId: record.id, folderId: null }}
        />
      )}
      {isMine(loaded) && loaded.kind === 'folder' && (
        <NewMenu
          label="New in this folder"
          kinds={INSIDE}
          container={{ collectionId: loaded.content.collectionId, folderId: record.id }}
        />
      )}
      {mayEdit() && <RecordMenu record={record} loaded={loaded} />}
    </>
  )
}

const INSIDE = ['request', 'folder', 'document'] as const
