import { KINDS, kinds, type RestorableKind } from '../commands/kinds.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { type Projector, putOther, remove, removeWhere, table } from './define.js'

/**
 * What an event is to a record: it made the whole record, set its content, put it somewhere, put it among its siblings anew, locked
 * it, or ended it. `told` is what a collection hears of, and changes nothing in the record.
 */
export type Effect = 'made' | 'content' | 'moved' | 'ordered' | 'locked' | 'ended' | 'told'

/**
 * Where in the log each record was touched: one row for each record and event, also where it is a reorder, of another stream. What a
 * folder or a collection took with it has no row of its own for that, however much it is: it stood in a container that ended.
 * The place that an event sets is beside it; content stays in the log. `collectionId` is the collection in whose activity the event
 * is told. The version is that of the record's own stream, and 0 where the event is of another.
 */
export const versionsTable = table({
  name: 'versions',
  columns: {
    kind: 'id',
    subject: 'id',
    effect: 'id',
    type: 'id',
    collectionId: 'id?',
    container: 'id?',
    sortOrder: 'integer?',
    at: 'time',
    actorId: 'id',
    position: 'integer'
  },
  indexes: {
    byEffect: { by: ['kind', 'subject', 'effect'], order: ['position'] },
    byCollection: { by: ['collectionId'], order: ['position'] },
    byPosition: { by: ['position'], order: [] }
  },
  scope: 'id'
})

interface Touch {
  readonly kind: RestorableKind
  readonly subject: string
  readonly effect: Effect
  readonly collectionId?: string | null | undefined
  readonly container?: string | null | undefined
  readonly sortOrder?: number | undefined
}

/** The rows of an event: first that of what its own stream is about, then those of what it touches besides. */
function rows(event: DecodedEvent, touches: readonly Touch[]): readonly RowOp[] {
  const { position, at, actorId, type } = event
  return touches.map(({ collectionId = null, container = null, sortOrder = null, ...touch }, i) => {
    const id = i === 0 ? String(position) : `${position}-${i}`
    const columns = { ...touch, collectionId, container, sortOrder, type, at, actorId, position }
    return putOther(versionsTable, event, id, { ...columns, ...(i === 0 && { version: event.version }) }, {})
  })
}

type Own = DecodedEvent<
  string,
  {
    readonly collectionId?: string | null
    readonly previousCollectionId?: string
    readonly folderId?: string | null
    readonly parentFolderId?: string | null
    readonly sortOrder?: number
  }
>
interface Placed {
  readonly id: string
  readonly sortOrder: number
}
type Reordered = DecodedEvent<
  string,
  {
    readonly folderId?: string | null
    readonly parentFolderId?: string | null
    readonly folders?: readonly Placed[]
    readonly requests?: readonly Placed[]
    readonly documents?: readonly Placed[]
  }
>

/** An event of a record's own stream. */
function own(kind: RestorableKind, effect: Effect, event: Own): readonly RowOp[] {
  const { subject, data } = event
  const collectionId = kind === 'collection' ? subject : data.collectionId
  const { folderId, parentFolderId, sortOrder } = data
  const place = sortOrder !== undefined && { container: folderId ?? parentFolderId ?? collectionId, sortOrder }
  const left = effect === 'content' ? data.previousCollectionId : undefined
  const elsewhere: Touch = { kind, subject, effect: 'told', collectionId: left }
  return rows(event, [{ kind, subject, effect, collectionId, ...place }, ...(left === undefined ? [] : [elsewhere])])
}

function reordered(event: Reordered): readonly RowOp[] {
  const { subject, data } = event
  const { folders = [], requests = [], documents = [] } = data
  const container = data.folderId ?? data.parentFolderId ?? subject
  const placed = (kind: RestorableKind, all: readonly Placed[]) =>
    all.map(({ id, sortOrder }): Touch => ({ kind, subject: id, effect: 'ordered', container, sortOrder }))
  return rows(event, [
    { kind: 'collection', subject, effect: 'told', collectionId: subject },
    ...placed('folder', folders),
    ...placed('request', requests),
    ...placed('document', documents)
  ])
}

function handlersOf(kind: RestorableKind): Projector['handlers'] {
  const { label } = kinds[kind]
  const handler = (effect: Effect) => (event: Own) => own(kind, effect, event)
  return {
    [`${label}Created`]: handler('made'),
    [`${label}Imported`]: handler('made'),
    [`${label}Restored`]: handler('made'),
    [`${label}Updated`]: handler('content'),
    [`${label}Deleted`]: handler('ended'),
    [`${label}Moved`]: handler('moved'),
    [`${label}DeletionLocked`]: handler('locked'),
    [`${label}DeletionUnlocked`]: handler('locked')
  }
}

type Imported = DecodedEvent<string, { readonly collectionId: string }>
type PayloadsErased = DecodedEvent<string, { readonly positions: readonly number[] }>
type ValueErased = DecodedEvent<string, { readonly position: number; readonly path: string }>

/** Fields of an event that a row has taken over. */
const PLACE = /^\/(collectionId|previousCollectionId|folderId|parentFolderId)$/

const others: Projector['handlers'] = {
  FoldersReordered: reordered,
  ItemsReordered: reordered,
  SourceImported(event: Imported) {
    const { collectionId } = event.data
    return rows(event, [{ kind: 'collection', subject: collectionId, effect: 'told', collectionId }])
  },
  PayloadsErased: ({ data }: PayloadsErased) =>
    data.positions.map((position) => removeWhere(versionsTable, 'position', position)),
  /** Of a place that is erased nothing is known any more, here as in a replay. */
  ValueErased({ data: { position, path }, position: revision }: ValueErased) {
    if (!PLACE.test(path)) return []
    const set = { revision, collectionId: null, container: null, sortOrder: null }
    return [{ op: 'patch', table: versionsTable, id: String(position), set }, remove(versionsTable, `${position}-1`)]
  }
}

export const versions: Projector = {
  table: versionsTable,
  version: 1,
  handlers: Object.assign({}, others, ...KINDS.map(handlersOf))
}
