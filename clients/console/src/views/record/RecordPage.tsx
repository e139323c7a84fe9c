import { useEffect, useRef } from 'preact/hooks'
import { draftPlace } from '../../app/drafts.js'
import { isOwn, useReload } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { collectionOf, type Loaded, loadRecord, mayChange, mayEdit } from '../../app/records.js'
import { go, linkTo, linkWith, route } from '../../app/route.js'
import { isMember, KINDS, pathOf, type RecordRef } from '../../model/records.js'
import { ButtonLink, Later, Page, Show, Skeleton, Time } from '../../ui/kit.js'
import { DraftNotice } from '../editing/DraftNotice.js'
import { pastView } from '../past/AsItWas.js'
import { Past } from '../past/Past.js'
import { Crumbs, onwardFrom } from './FolderView.js'
import { isMine, RecordActions } from './RecordActions.js'
import { Referred } from './Referred.js'
import css from './record.module.css'
import { Threads } from './Threads.js'

/** A record as people read it, with its past beside it. */
export function RecordPage({ record: ref }: { readonly record: RecordRef }) {
  const past = pastView(ref)
  const isEditing = useEditing(ref, past === null && route.value.query.get('edit') === 'yes')
  return (
    <div class={isEditing ? '' : `${css.both} stack`}>
      {past ?? <Present record={ref} isEditing={isEditing} />}
      {!isEditing && <Past record={ref} />}
    </div>
  )
}

/** Whether the form is shown where it is wanted: to who may change the record, and to who had begun to while they might. */
function useEditing(ref: RecordRef, isWanted: boolean): boolean {
  const begun = useRef('')
  const hasBegun = () => begun.current === ref.id || draftPlace(ref).read() !== null
  const isEditing = isWanted && mayEdit() && (mayChange(ref) || hasBegun())
  begun.current = isEditing ? ref.id : ''
  return isEditing
}

function Present({ record: ref, isEditing }: { readonly record: RecordRef; readonly isEditing: boolean }) {
  // In another collection it is another state of it: what is done next names that.
  const record = useLoadable((signal) => loadRecord(ref, signal), [ref.kind, ref.id, ref.collectionId])
  useReload(record, (change) => isOwn(change) || (change.kind === ref.kind && change.id === ref.id))
  useOwnAddress(ref, knownOf(record), isEditing)
  const editLink = useReturningFocus(isEditing)
  const isGone = record.state.value.is === 'failed'
  return (
    <div>
      <Show of={record} skeleton={<Skeleton lines={8} />} onward={onwardFrom(ref)}>
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

/** Goes to the address that a record has where it is by now: others move it, and some links name no collection. */
function useOwnAddress(ref: RecordRef, loaded: Loaded | undefined, isEditing: boolean): void {
  const collectionId = loaded ? collectionOf(loaded) : null
  const isElsewhere = collectionId !== null && collectionId !== ref.collectionId && loaded?.content.id === ref.id
  useEffect(() => {
    if (isElsewhere && isMember(ref.kind) && !isEditing)
      go(linkTo(pathOf({ ...ref, collectionId }), Object.fromEntries(route.value.query)), { replace: true })
  }, [isElsewhere, isEditing])
}

const loadEditor = () => import('../editing/RecordEditor.js')

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
