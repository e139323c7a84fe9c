import type { ErasureEvent } from '../commands/log/erasure/events.js'
import { KINDS, kinds, type RestorableKind } from '../commands/records/kinds.js'
import { tombstonesTable } from '../commands/records/undelete/table.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { RowOp } from '../src/storage/storage.js'
import { type Projector, patchOther, projector, putOther, remove } from './define.js'

interface Contents {
  readonly folders: readonly string[]
  readonly requests: readonly string[]
  readonly documents: readonly string[]
}
const nothing: Contents = { folders: [], requests: [], documents: [] }

/** What a deletion tells of what is gone. The collection that something stood in is told by what stands in one. */
type Deletion = DecodedEvent<
  string,
  { readonly name: string; readonly collectionId?: string | null } & Partial<Contents>
>
type Update = DecodedEvent<
  string,
  { readonly previousCollectionId?: string | undefined; readonly content: { readonly name: string } }
>
type Return = DecodedEvent<string, { readonly deletionPositions: readonly number[] }>

function row(
  kind: RestorableKind,
  state: 'deleted' | 'moved',
  event: DecodedEvent,
  { name, collectionId = null, ...held }: Deletion['data']
): RowOp {
  const { position, at, actorId, subject } = event
  const columns = { kind, subject, name, collectionId, state, at, actorId, position }
  return putOther(tombstonesTable, event, String(position), columns, { ...nothing, ...held })
}

function handlersOf(kind: RestorableKind): Projector['handlers'] {
  const { label, isMember } = kinds[kind]
  const gone = (e: Deletion) => {
    const data = kind === 'collection' ? { ...e.data, collectionId: e.subject } : e.data
    return [row(kind, 'deleted', e, data)]
  }
  const moved = (e: Update) => {
    const { previousCollectionId: collectionId, content } = e.data
    return collectionId === undefined ? [] : [row(kind, 'moved', e, { name: content.name, collectionId })]
  }
  const restored = (e: Return) => e.data.deletionPositions.map((position) => undone(e, position))
  return {
    [`${label}Deleted`]: gone,
    [`${label}Restored`]: restored,
    ...(isMember && kind !== 'folder' && { [`${label}Updated`]: moved })
  }
}

const undone = (e: DecodedEvent, position: number) =>
  patchOther(tombstonesTable, e, String(position), { state: 'restored' })

const erased = projector<ErasureEvent>(tombstonesTable, 3, {
  PayloadsErased: (e) => [
    ...e.data.positions.map((position) => remove(tombstonesTable, String(position))),
    ...(e.data.undone ?? []).map(({ position }) => undone(e, position))
  ],
  // A name that was erased from what an event says is in no row that was made of it.
  ValueErased: (e) =>
    e.data.path === '/name' ? [patchOther(tombstonesTable, e, String(e.data.position), { name: '' })] : []
})

export const tombstones: Projector = {
  ...erased,
  handlers: Object.assign({}, erased.handlers, ...KINDS.map(handlersOf))
}
