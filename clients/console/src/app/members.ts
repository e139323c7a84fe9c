import type { Change } from '@collections-hub/client'
import { type Member, type Outline, outlineOf } from '../model/outline.js'
import { onChange } from './live.js'
import { type Loadable, loadable } from './loaded.js'
import { asking } from './movesUnderWay.js'
import { hub, isAdmin, whenLeaving } from './session.js'

const FIELDS = { folders: 'id,name,parentFolderId,sortOrder', requests: 'id,name,folderId,sortOrder,method' }
const DOCUMENT_FIELDS = 'id,name,folderId,sortOrder'
/** Changes that come together, such as those of an import, are one question. */
const TOGETHER_MS = 120

const outlines = new Map<string, Loadable<Outline>>()

/** What a collection holds, in order: shared by all views, kept up to date while somebody is signed in. */
export function outlineOfCollection(collectionId: string): Loadable<Outline> {
  const known = outlines.get(collectionId)
  if (known) return known
  const outline = loadable((signal) => membersOf(collectionId, signal))
  outlines.set(collectionId, outline)
  void outline.reload()
  return outline
}

async function membersOf(collectionId: string, signal: AbortSignal): Promise<Outline> {
  const path = { collectionId }
  const withMoves = asking(collectionId)
  const at = isAdmin.value ? '/admin/collections/{collectionId}' : '/collections/{collectionId}'
  const [folders, requests, documents] = await Promise.all([
    hub().request('GET', `${at}/folders`, { path, query: { fields: FIELDS.folders }, signal }),
    hub().request('GET', `${at}/requests`, { path, query: { fields: FIELDS.requests }, signal }),
    hub().request('GET', `${at}/documents`, { path, query: { fields: DOCUMENT_FIELDS }, signal })
  ])
  const answer = outlineOf([
    ...folders.body.folders.map((row) => member('folder', row, row.parentFolderId)),
    ...requests.body.requests.map((row) => ({ ...member('request', row, row.folderId), method: row.method ?? '' })),
    ...documents.body.documents.map((row) => member('document', row, row.folderId))
  ])
  return withMoves(answer)
}

interface ListedMember {
  readonly id?: string
  readonly name?: string
  readonly sortOrder?: number
}

function member(kind: Member['kind'], row: ListedMember, parentId: string | null | undefined): Member {
  const { id = '', name = '', sortOrder = 0 } = row
  return { kind, id, name, parentId: parentId ?? null, sortOrder }
}

const waiting = new Map<string, ReturnType<typeof setTimeout>>()

onChange(({ type, kind, id, collectionId }: Change) => {
  // There is nothing to ask for any more, until somebody brings it back.
  if (type === 'CollectionDeleted') return
  const changed = collectionId ?? (kind === 'collection' ? id : null)
  const outline = changed === null ? undefined : outlines.get(changed)
  if (changed === null || !outline || waiting.has(changed)) return
  const later = () => {
    waiting.delete(changed)
    void outline.reload()
  }
  waiting.set(changed, setTimeout(later, TOGETHER_MS))
})
whenLeaving(() => {
  for (const timer of waiting.values()) clearTimeout(timer)
  for (const outline of outlines.values()) outline.stop()
  waiting.clear()
  outlines.clear()
})

/** Every member of the collections that have been opened. */
export function* knownMembers(): Generator<{ readonly collectionId: string; readonly member: Member }> {
  for (const [collectionId, { state }] of outlines) {
    if (state.value.is !== 'ready') continue
    for (const member of state.value.value.members.values()) yield { collectionId, member }
  }
}
