import { useState } from 'preact/hooks'
import { hubTime } from '../../app/clock.js'
import { creating } from '../../app/creating.js'
import { type Container, collectionOf, type Loaded, mayChange, mayEdit, mayShare } from '../../app/records.js'
import { go, linkWith } from '../../app/route.js'
import { isMember, type RecordRef, wordFor } from '../../model/records.js'
import { Button, KIND_ICONS, Later } from '../../ui/kit.js'
import { NewMenu } from '../editing/NewRecord.js'
import { RecordMenu } from '../editing/RecordMenu.js'
import { useOffers } from '../offered.js'
import { HISTORY } from '../past/Past.js'

const loadCopying = () => import('./CopyDialog.js')
const loadSharing = () => import('./ShareDialog.js')

/** Whether whoever is signed in may change it. */
export const isMine = (loaded: Loaded) => mayChange({ id: loaded.content.id, collectionId: collectionOf(loaded) })

/** What else can be done with a record. */
export function RecordActions({ record, loaded }: { readonly record: RecordRef; readonly loaded: Loaded }) {
  const [isCopying, setCopying] = useState(false)
  const [isSharing, setSharing] = useState(false)
  // What is in a collection is shared with it.
  const kind = isMember(loaded.kind) ? null : loaded.kind
  const copy = () => setCopying(true)
  const share = () => setSharing(true)
  const lookBack = () => go(linkWith({ at: new Date(hubTime()).toISOString() }))
  const isShared = kind !== null && mayShare(loaded.content)
  const hasMoments = mayEdit() && loaded.kind === 'collection'
  const container = isMine(loaded) ? containerOf(loaded) : null
  useOffers(loaded.content.name, [
    ...(isMine(loaded) ? [{ label: 'Edit', icon: 'edit', act: () => go(linkWith({ edit: 'yes' })) } as const] : []),
    ...(loaded.kind === 'request' ? [{ label: 'Copy as cURL or code…', icon: 'copy', act: copy } as const] : []),
    ...(isShared ? [{ label: 'Share…', icon: 'people', act: share } as const] : []),
    { label: 'History', icon: 'history', act: () => document.getElementById(HISTORY)?.focus() },
    ...(hasMoments ? [{ label: 'As it was…', icon: 'history', act: lookBack } as const] : []),
    ...(container ? INSIDE : []).map((kind) => ({
      ...{ label: `New ${wordFor(kind)} here`, icon: KIND_ICONS[kind] },
      act: () => (creating.value = { kind, container: container ?? undefined })
    }))
  ])
  return (
    <>
      {loaded.kind === 'request' && (
        <Button icon="copy" onClick={copy}>
          Copy as…
        </Button>
      )}
      {loaded.kind === 'request' && isCopying && (
        <Later load={loadCopying}>
          {({ CopyDialog }) => <CopyDialog request={loaded.content} close={() => setCopying(false)} />}
        </Later>
      )}
      {isShared && (
        <Button icon="people" onClick={share}>
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
      {hasMoments && (
        <Button icon="history" onClick={lookBack}>
          As it was…
        </Button>
      )}
      {container && (loaded.kind === 'collection' || loaded.kind === 'folder') && (
        <NewMenu label={`New in this ${loaded.kind}`} kinds={INSIDE} container={container} />
      )}
      {mayEdit() && <RecordMenu record={record} loaded={loaded} />}
    </>
  )
}

const INSIDE = ['request', 'folder', 'document'] as const

/** Where something new goes that is made beside a record, or in it; null where that is in no collection. */
function containerOf({ kind, content }: Loaded): Container | null {
  if (kind === 'collection') return { collectionId: content.id, folderId: null }
  if (kind === 'folder') return { collectionId: content.collectionId, folderId: content.id }
  if (kind === 'request' || kind === 'document')
    return { collectionId: content.collectionId, folderId: content.folderId }
  return null
}
