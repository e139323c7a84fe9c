import { useEffect, useRef } from 'preact/hooks'
import { type Loaded, mayEdit } from '../../app/records.js'
import { linkWith, route } from '../../app/route.js'
import { useRecord } from '../../app/useRecord.js'
import { KINDS, type RecordRef } from '../../model/records.js'
import { ButtonLink } from '../../ui/Button.js'
import { Later } from '../../ui/Later.js'
import { Page } from '../../ui/Page.js'
import { Show, Skeleton } from '../../ui/Show.js'
import { Time } from '../../ui/Time.js'
import { DraftNotice } from '../editing/DraftNotice.js'
import { Past } from '../past/Past.js'
import { pastView } from '../past/pastView.js'
import { Crumbs } from './Crumbs.js'
import { RecordActions } from './RecordActions.js'
import css from './RecordPage.module.css'
import { RecordView } from './RecordView.js'
import { Threads } from './Threads.js'

/** A record as people read it, with its past beside it. */
export function RecordPage({ record: ref }: { readonly record: RecordRef }) {
  const past = pastView(ref)
  const isEditing = mayEdit() && past === null && route.value.query.get('edit') === 'yes'
  return (
    <div class={isEditing ? '' : css.both}>
      {past ?? <Present record={ref} isEditing={isEditing} />}
      {!isEditing && (
        <aside class={css.past} aria-label="History">
          <Past record={ref} />
        </aside>
      )}
    </div>
  )
}

function Present({ record: ref, isEditing }: { readonly record: RecordRef; readonly isEditing: boolean }) {
  const record = useRecord(ref)
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
              </>
            }
            actions={
              <>
                {mayEdit() && !isEditing && (
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
                <RecordView loaded={loaded} />
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

/** The collection that it is in, also where its address does not say so. */
const collectionOf = ({ content }: Loaded) => ('collectionId' in content ? content.collectionId : null)

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
