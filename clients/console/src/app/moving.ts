import { moved, type Position, positionOf } from '../model/moving.js'
import type { MemberKind } from '../model/records.js'
import { type Failure, failureOf, isAbort } from './hub.js'
import { outlineOfCollection } from './members.js'
import { begin } from './movesUnderWay.js'
import { hub } from './session.js'

const put: Readonly<Record<MemberKind, (id: string, to: Position) => Promise<unknown>>> = {
  folder: (id, { parentId, index }) =>
    hub().request('PUT', '/folders/{id}/move', { path: { id }, body: { parentFolderId: parentId, sortOrder: index } }),
  request: (id, { parentId, index }) =>
    hub().request('PUT', '/requests/{id}/move', { path: { id }, body: { folderId: parentId, index } }),
  document: (id, { parentId, index }) =>
    hub().request('PUT', '/documents/{id}/move', { path: { id }, body: { folderId: parentId, index } })
}

/** Moves are carried out in the order in which they were made: a place counts from the moves before. */
let last: Promise<unknown> = Promise.resolve()

/** Moves a member of a collection, which shows at once. Where the hub refuses, it is put back; tells why. */
export async function moveMember(
  collectionId: string,
  { kind, id }: { readonly kind: MemberKind; readonly id: string },
  to: Position
): Promise<Failure | null> {
  const outline = outlineOfCollection(collectionId)
  const state = outline.state.peek()
  const before = state.is === 'ready' ? positionOf(state.value, id) : null
  const move = begin(collectionId, id, to)
  outline.change((now) => moved(now, id, to))
  const moving = last.then(() => put[kind](id, to))
  last = moving.catch(() => {})
  try {
    await moving
    move.done()
    return null
  } catch (error) {
    move.refused()
    if (isAbort(error)) return null
    if (before) outline.change((now) => moved(now, id, before))
    void outline.reload()
    return failureOf(error)
  }
}
