import { itemPositionOf } from '../../../commands/records/kind.js'
import { kinds, MEMBERS, type Member } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import type { Ledger } from '../../ledger/ledger.js'
import { LIMITS } from '../../limits.js'
import type { Row } from '../../storage/storage.js'
import { treeAt } from '../history/tree.js'
import type { Exported, ExportFormat } from './exported.js'
import { writeInThread } from './thread.js'
import { foldersWithin } from './tree.js'

interface Wanted {
  readonly format: ExportFormat
  /** Ids of what is written alone, with what it holds; all where nothing is named. */
  readonly only?: readonly string[] | undefined
  /** How many characters what is written may hold; as many as a collection may where nothing is said. */
  readonly most?: number
}

/**
 * A collection as it is now, as a file in this format, or a part of it. 404 where it, or something that is named, is not there, 413 where
 * it holds too much for a file.
 */
export async function exportCollection(
  ledger: Pick<Ledger, 'readModel' | 'storage'>,
  collectionId: string,
  { format, only, most = LIMITS.exportContent.max }: Wanted
): Promise<Exported> {
  if (only) await requireHeld(ledger, collectionId, only)
  const tree = await treeAt(ledger, collectionId, ledger.readModel.head.position)
  if (!tree) throw errors.notFound('Collection')
  let characters = tree.collection.length
  const textsOf = async (kind: Member, isWanted?: (row: Row) => boolean): Promise<readonly string[]> => {
    const texts: string[] = []
    for await (const records of tree.records(kind, isWanted)) {
      characters += records.reduce((sum, { length }) => sum + length, 0)
      if (characters > most) throw errors.exportTooLarge()
      texts.push(...records)
    }
    return texts
  }
  const folders = await textsOf('folder')
  // What is not wanted is not read, so that a part can be had of what is too large as a whole.
  const isWanted = only && heldBy(folders, only)
  const requests = await textsOf('request', isWanted)
  const documents = await textsOf('document', isWanted)
  const texts = { collection: tree.collection, folders, requests, documents }
  return writeInThread(texts, { format, only })
}

/** Whether a request or a document is one of these, or in a folder that is. */
function heldBy(folders: readonly string[], ids: readonly string[]): (row: Row) => boolean {
  const named = new Set(ids)
  const within = foldersWithin(folders, ids)
  return (row) => {
    const { inside } = itemPositionOf(row)
    return named.has(row.id) || (inside !== null && within.has(inside))
  }
}

/** Refuses ids of what is not in the collection. */
async function requireHeld(
  { readModel }: Pick<Ledger, 'readModel'>,
  collectionId: string,
  only: readonly string[]
): Promise<void> {
  const missing = new Set(only)
  for (const kind of MEMBERS) {
    for (const row of await readModel.getAll(kinds[kind].table, only, { body: false }))
      if (itemPositionOf(row).collectionId === collectionId) missing.delete(row.id)
  }
  if (missing.size > 0) throw errors.notFound('Record')
}
