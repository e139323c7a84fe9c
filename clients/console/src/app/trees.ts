import { HubRequestError, type Schemas } from '@collections-hub/client'
import { type Happening, type Moment, momentsOf } from '../model/moments.js'
import { isMember, KINDS, type MemberKind, type RecordRef } from '../model/records.js'
import { contentOf, type Kept } from '../model/treeThen.js'
import { type Loaded, loadRecord } from './records.js'
import { ask, isAdmin } from './session.js'

type Tree = Schemas['CollectionTree']

/** A whole collection as it is, or as it was at a moment. */
export const loadTree = (collectionId: string, signal: AbortSignal, at?: string): Promise<Tree> =>
  ask('GET', '/collections/{id}/tree', { path: { id: collectionId }, query: { at }, signal })

/** A record as it was at a moment. One that is gone since is found in its collection, as that was. */
export async function loadThen(ref: RecordRef, at: string, signal: AbortSignal): Promise<Loaded> {
  try {
    return await loadRecord(ref, signal, at)
  } catch (error) {
    const { kind, id, collectionId } = ref
    const isMissing = error instanceof HubRequestError && error.status === 404
    if (!isMissing || !isMember(kind) || !collectionId || isAdmin.value) throw error
    const tree = await loadTree(collectionId, signal, at)
    const content = tree[KINDS[kind].plural].find((one) => one.id === id)
    if (!content) throw error
    // The kind chose the list.
    return { kind, content, etag: null } as Loaded
  }
}

/** What a collection holds, to be compared with what it held. */
export function keptIn({ folders, requests, documents }: Tree): readonly Kept[] {
  return [
    ...folders.map((record) => kept('folder', record, record.parentFolderId)),
    ...requests.map((record) => ({ ...kept('request', record, record.folderId), method: record.method })),
    ...documents.map((record) => kept('document', record, record.folderId))
  ]
}

function kept(kind: MemberKind, record: Pick<Kept, 'id' | 'name' | 'sortOrder'>, parentId: string | null): Kept {
  const { id, name, sortOrder } = record
  return { kind, id, name, parentId, sortOrder, content: contentOf(record) }
}

/** The moments of a collection, the newest first, as far as they are read. */
export interface Moments {
  readonly happenings: readonly Happening[]
  readonly moments: readonly Moment[]
  /** Behind what the older ones are; null where there are none. */
  readonly next: number | null
}

const PAGE = 200
/** So many pages are read at most to come back to a moment that an address names. */
const PAGES_MOST = 10

/** The moments of a collection back to one, or those behind what was read. */
export async function loadMoments(
  collectionId: string,
  signal: AbortSignal,
  { known, reaches }: { readonly known?: Moments; readonly reaches: (moments: readonly Moment[]) => boolean }
): Promise<Moments> {
  let happenings = known?.happenings ?? []
  let before: number | undefined = known?.next ?? undefined
  let next: number | null = null
  let moments: readonly Moment[] = []
  for (let pages = 0; pages < PAGES_MOST; pages++) {
    const page = await loadActivity(collectionId, { limit: PAGE, before }, signal)
    happenings = [...happenings, ...page.events]
    next = page.next
    moments = momentsOf(happenings)
    if (next === null || reaches(moments)) break
    before = next
  }
  return { happenings, moments, next }
}

/** What happened to a collection and in it, the newest first, before a place in the log where one is named. */
export const loadActivity = (
  id: string,
  query: { readonly limit: number; readonly before?: number | undefined },
  signal: AbortSignal
) => ask('GET', '/collections/{id}/activity', { path: { id }, query, signal })
