import type { Change } from '@collections-hub/client'
import type { NameOf } from '../model/fieldNames.js'
import { moved, type Position, positionOf } from '../model/moving.js'
import { type Member, type Outline, outlineOf } from '../model/outline.js'
import type { MemberKind, RecordRef } from '../model/records.js'
import { catalog } from './catalog.js'
import { type Failure, failureOf, isAbort } from './hub.js'
import { onChange, together } from './live.js'
import { knownOf, type Loadable, loadable } from './loaded.js'
import { ask, hub, isAdmin, whenLeaving } from './session.js'

const FIELDS = { folders: 'id,name,parentFolderId,sortOrder', requests: 'id,name,folderId,sortOrder,method' }
const DOCUMENT_FIELDS = 'id,name,folderId,sortOrder'

/** What is known of each collection that was opened, and how it is asked for anew. */
const outlines = new Map<string, { readonly outline: Loadable<Outline>; readonly again: ReturnType<typeof together> }>()

/** What a collection holds, in order: shared by all views, kept up to date while somebody is signed in. */
export function outlineOfCollection(collectionId: string): Loadable<Outline> {
  const known = outlines.get(collectionId)
  if (known) return known.outline
  const outline = loadable((signal) => membersOf(collectionId, signal))
  outlines.set(collectionId, { outline, again: together(outline.reload) })
  void outline.reload()
  return outline
}

async function membersOf(collectionId: string, signal: AbortSignal): Promise<Outline> {
  const path = { collectionId }
  const withMoves = asking(collectionId)
  const at = isAdmin.value ? '/admin/collections/{collectionId}' : '/collections/{collectionId}'
  const [{ folders }, { requests }, { documents }] = await Promise.all([
    ask('GET', `${at}/folders`, { path, query: { fields: FIELDS.folders }, signal }),
    ask('GET', `${at}/requests`, { path, query: { fields: FIELDS.requests }, signal }),
    ask('GET', `${at}/documents`, { path, query: { fields: DOCUMENT_FIELDS }, signal })
  ])
  const answer = outlineOf([
    ...folders.map((row) => member('folder', row, row.parentFolderId)),
    ...requests.map((row) => ({ ...member('request', row, row.folderId), method: row.method ?? '' })),
    ...documents.map((row) => member('document', row, row.folderId))
  ])
  return withMoves(answer)
}

type ListedMember = Partial<Pick<Member, 'id' | 'name' | 'sortOrder'>>

function member(kind: Member['kind'], row: ListedMember, parentId: string | null | undefined): Member {
  const { id = '', name = '', sortOrder = 0 } = row
  return { kind, id, name, parentId: parentId ?? null, sortOrder }
}

onChange(({ type, kind, id, collectionId }: Change) => {
  // There is nothing to ask for any more, until somebody brings it back.
  if (type !== 'CollectionDeleted') outlines.get(collectionId ?? (kind === 'collection' ? id : ''))?.again.ask()
})
whenLeaving(() => {
  for (const { outline, again } of outlines.values()) {
    again.stop()
    outline.stop()
  }
  outlines.clear()
})

/** Every member of the collections that have been opened. */
export function* knownMembers(): Generator<{ readonly collectionId: string; readonly member: Member }> {
  for (const [collectionId, { outline }] of outlines)
    for (const member of knownOf(outline)?.members.values() ?? []) yield { collectionId, member }
}

/** A move that is shown already. */
interface Move {
  readonly id: string
  readonly to: Position
  isDone: boolean
}

/** Moves that an answer of the hub may not know of yet, by collection, in their order. */
const underWay = new Map<string, readonly Move[]>()
const movesIn = (collectionId: string) => underWay.get(collectionId) ?? []

/** Notes a move that the hub is asked for, until it has happened or was refused. */
function begin(collectionId: string, id: string, to: Position) {
  const move: Move = { id, to, isDone: false }
  underWay.set(collectionId, [...movesIn(collectionId), move])
  const refused = () => forget(collectionId, [move])
  const done = () => {
    move.isDone = true
  }
  return { done, refused }
}

/** To be called before the hub is asked for an outline: gives what adds the moves to the answer that it cannot know of. */
function asking(collectionId: string): (answer: Outline) => Outline {
  const known = movesIn(collectionId).filter(({ isDone }) => isDone)
  return (answer) => {
    forget(collectionId, known)
    return movesIn(collectionId).reduce((outline, { id, to }) => moved(outline, id, to), answer)
  }
}

function forget(collectionId: string, moves: readonly Move[]): void {
  underWay.set(
    collectionId,
    movesIn(collectionId).filter((move) => !moves.includes(move))
  )
}

whenLeaving(() => underWay.clear())

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
  const known = knownOf(outline)
  const before = known ? positionOf(known, id) : null
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

/** The names of what the console knows: all that stands by itself, and what is in the collection of a record. */
export function namesAround({ kind, id, collectionId }: RecordRef): NameOf {
  const holder = kind === 'collection' ? id : collectionId
  const outline = holder ? knownOf(outlineOfCollection(holder)) : undefined
  const lists = Object.values(catalog).map(knownOf)
  return (wanted) => {
    const member = outline?.members.get(wanted)
    if (member) return member.name
    for (const list of lists) {
      const found = list?.find((one) => one.id === wanted)
      if (found) return found.name
    }
    return undefined
  }
}
