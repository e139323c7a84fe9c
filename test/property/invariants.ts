import { tokensTable } from '../../commands/people/token/table.js'
import { usersTable } from '../../commands/people/user/table.js'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { documentsTable } from '../../commands/records/document/table.js'
import { foldersTable } from '../../commands/records/folder/table.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { tables } from '../../projections/index.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { canonicalJson } from '../../src/log/canonical.js'
import type { Columns, Row, TableSpec } from '../../src/storage/storage.js'
import { everyRow } from '../support/rows.js'

/** What read tables say that cannot be: places taken twice, and whatever refers to something gone. Empty where all is well. */
export async function contradictions({ storage }: Ledger): Promise<readonly string[]> {
  const { generation } = await storage.head()
  // Rows of a table have the columns of its spec.
  const all = async <C extends Columns>(table: TableSpec<C>) =>
    (await everyRow((after, limit) => storage.scan(generation, table, after, limit))) as Row<C>[]
  const [users, tokens, collections, folders] = await Promise.all([
    all(usersTable),
    all(tokensTable),
    all(collectionsTable),
    all(foldersTable)
  ])
  const items = [...(await all(requestsTable)), ...(await all(documentsTable))]
  const userIds = new Set(users.map(({ id }) => id))
  const collectionIds = new Set(collections.map(({ id }) => id))
  const folderById = new Map(folders.map((folder) => [folder.id, folder]))
  const found: string[] = []

  for (const { id, userId } of tokens) if (!userIds.has(userId)) found.push(`token ${id} is of ${userId}, who is gone`)
  for (const row of [...collections, ...folders, ...items]) {
    for (const who of [row.createdBy, row.updatedBy]) {
      if (who !== null && !userIds.has(who)) found.push(`${row.id} was made or changed by ${who}, who is gone`)
    }
  }
  for (const { id, collectionId, container } of [...folders, ...items]) {
    if (!collectionIds.has(collectionId)) found.push(`${id} is in ${collectionId}, which is gone`)
    const parent = folderById.get(container)
    if (container !== collectionId && parent?.collectionId !== collectionId) {
      found.push(`${id} of ${collectionId} is in ${container} of ${parent?.collectionId}`)
    }
  }
  for (const folder of folders) {
    let [above, depth]: [string, number] = [folder.container, 0]
    while (folderById.has(above) && depth <= folders.length) {
      above = folderById.get(above)?.container ?? ''
      depth++
    }
    if (depth > folders.length) found.push(`${folder.id} lies inside itself`)
  }
  for (const kind of [folders, items]) {
    const places = kind.map(({ container, sortOrder }) => `${container} at ${sortOrder}`)
    for (const [i, one] of places.entries()) if (places.indexOf(one) !== i) found.push(`two things are in ${one}`)
  }
  return found
}

/** Where what a process remembers differs from what is stored. Empty where nothing does. */
export async function stale({ storage, readModel }: Ledger): Promise<readonly string[]> {
  await readModel.current()
  const found: string[] = []
  for (const table of tables) {
    for (const row of await everyRow((after, limit) => storage.scan(readModel.head.generation, table, after, limit))) {
      const known = await readModel.get(table, row.id)
      if (canonicalJson(known) !== canonicalJson(row)) found.push(`${table.name}: ${JSON.stringify(known)}`)
    }
  }
  return found
}

/** Ids that a process remembers a row of, though there is none. */
export async function ghosts({ storage, readModel }: Ledger, ids: readonly string[]): Promise<readonly string[]> {
  await readModel.current()
  const found: string[] = []
  for (const table of tables) {
    const there = new Set(
      (await everyRow((after, limit) => storage.scan(readModel.head.generation, table, after, limit))).map(
        ({ id }) => id
      )
    )
    for (const id of ids) if (!there.has(id) && (await readModel.get(table, id))) found.push(`${table.name}: ${id}`)
  }
  return found
}
