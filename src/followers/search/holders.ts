import { itemPositionOf } from '../../../commands/records/kind.js'
import { isMember, kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import type { Ledger } from '../../ledger/ledger.js'
import { LIMITS } from '../../limits.js'
import type { Row } from '../../storage/storage.js'
import { bodyOf, type FieldText } from './fields.js'

/** A record and its row. */
export interface FoundRow {
  readonly kind: RestorableKind
  readonly row: Row
}

type ReadModel = Pick<Ledger['readModel'], 'getAll'>

/**
 * The names of what holds some members, from the innermost folder to the collection, by the id of what they hold: of folders as many
 * levels as `LIMITS.searchLevels` says. A level of all of them is read at once. Nothing is told of folders of other collections.
 */
export async function heldIn(
  readModel: ReadModel,
  found: readonly FoundRow[]
): Promise<ReadonlyMap<string, readonly FieldText[]>> {
  const members = found.filter(({ kind }) => isMember(kind)).map(({ row }) => ({ id: row.id, ...itemPositionOf(row) }))
  const folders = await foldersAbove(readModel, members)
  const collections = await rowsOf(readModel, 'collection', new Set(members.map(({ collectionId }) => collectionId)))
  return new Map(
    members.map(({ id, collectionId, inside }) => {
      const texts: FieldText[] = []
      let at = inside
      for (let level = 0; at !== null && level < LIMITS.searchLevels.max; level++) {
        const folder = folders.get(at)
        if (!folder || itemPositionOf(folder).collectionId !== collectionId) break
        texts.push(nameOf('folder', folder))
        at = itemPositionOf(folder).inside
      }
      const collection = collections.get(collectionId)
      return [id, collection ? [...texts, nameOf('collection', collection)] : texts]
    })
  )
}

async function foldersAbove(
  readModel: ReadModel,
  members: readonly { readonly inside: string | null }[]
): Promise<ReadonlyMap<string, Row>> {
  const known = new Map<string, Row>()
  let wanted = new Set(members.map(({ inside }) => inside))
  for (let level = 0; level < LIMITS.searchLevels.max; level++) {
    const ids = [...wanted].filter((id) => id !== null && !known.has(id))
    if (ids.length === 0) break
    const rows = await rowsOf(readModel, 'folder', new Set(ids.filter((id) => id !== null)))
    for (const [id, row] of rows) known.set(id, row)
    wanted = new Set([...rows.values()].map((row) => itemPositionOf(row).inside))
  }
  return known
}

async function rowsOf(
  readModel: ReadModel,
  kind: 'folder' | 'collection',
  ids: ReadonlySet<string>
): Promise<ReadonlyMap<string, Row>> {
  const rows: readonly Row[] = ids.size === 0 ? [] : await readModel.getAll(kinds[kind].table, [...ids])
  return new Map(rows.map((row) => [row.id, row]))
}

function nameOf(field: 'folder' | 'collection', row: Row): FieldText {
  return { field, weight: 'name', text: String(bodyOf(row).name) }
}
