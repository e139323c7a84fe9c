import { z } from 'zod'
import { allows, type Caller } from '../../../commands/context.js'
import { collectionsTable } from '../../../commands/records/collection/table.js'
import type { Ledger } from '../../ledger/ledger.js'
import { slices } from '../../limits.js'
import { WHOLE_LOG } from '../../storage/search.js'
import type { Imported } from './imported.js'
import { sourceIdIn } from './records.js'
import { bodyFields } from './rowFields.js'

/** Collections that a source was imported into before. */
export const knownCollections = z.array(
  z.object({
    id: z.string().describe('The id of the collection.'),
    name: z.string().describe('What it is called now.'),
    position: z.number().describe('The position of the last import of the source into it.')
  })
)
export type KnownCollections = Readonly<z.infer<typeof knownCollections>>

/** So many streams are looked for at a time, and so many collections are told. */
const AT_ONCE = 500
const MOST = 20

/** The collections that the caller may open and that this source was imported into, the last one first. */
export async function knownTo(
  { storage, readModel }: Pick<Ledger, 'storage' | 'readModel'>,
  { collectionAccess }: Pick<Caller, 'collectionAccess'>,
  { format, tree }: Pick<Imported, 'format' | 'tree'>
): Promise<KnownCollections> {
  if (!tree) return []
  await readModel.current()
  const ids = collectionAccess.includes('*')
    ? (await readModel.outline(collectionsTable, 'byName', [])).map(({ id }) => id)
    : collectionAccess
  const collectionOf = new Map(ids.map((id) => [`source-${sourceIdIn(id, format, tree)}`, id]))
  const found: { readonly id: string; readonly position: number }[] = []
  for (const streams of slices([...collectionOf.keys()], AT_ONCE)) {
    for (const { stream, position } of await storage.lastOf(streams, ['SourceImported'], WHOLE_LOG.through)) {
      const id = collectionOf.get(stream)
      if (id !== undefined && allows(collectionAccess, id)) found.push({ id, position })
    }
  }
  const newest = found.sort((a, b) => b.position - a.position).slice(0, MOST)
  const rows = await readModel.getAll(
    collectionsTable,
    newest.map(({ id }) => id)
  )
  const names = new Map(rows.map((row) => [row.id, bodyFields(row).name]))
  return newest.flatMap(({ id, position }) => {
    const name = names.get(id)
    return name === undefined ? [] : [{ id, name, position }]
  })
}
