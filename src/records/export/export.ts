import { itemPositionOf } from '../../../commands/records/kind.js'
import { kinds, MEMBERS, type Member } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import type { Ledger } from '../../ledger/ledger.js'
import { LIMITS } from '../../limits.js'
import { treeAt } from '../history/tree.js'
import type { Exported, ExportFormat } from './formats.js'
import { writeInThread } from './thread.js'

interface Wanted {
  readonly format: ExportFormat
  /** Ids of what is written alone, with what it holds; all where nothing is named. */
  readonly only?: readonly string[] | undefined
}

/**
 * A collection as it is now, as a file in this format, or a part of it. 404 where it, or something that is named, is not there, 413 where
 * it holds too much for a file.
 */
export async function exportCollection(
  ledger: Pick<Ledger, 'readModel' | 'storage'>,
  collectionId: string,
  { format, only }: Wanted
): Promise<Exported> {
  if (only) await requireHeld(ledger, collectionId, only)
  const tree = await treeAt(ledger, collectionId, ledger.readModel.head.position)
  if (!tree) throw errors.notFound('Collection')
  let characters = tree.collection.length
  const textsOf = async (kind: Member): Promise<readonly string[]> => {
    const texts: string[] = []
    for await (const records of tree.records(kind)) {
      characters += records.reduce((sum, { length }) => sum + length, 0)
      if (characters > LIMITS.exportContent.max) throw errors.exportTooLarge()
      texts.push(...records)
    }
    return texts
  }
  const folders = await textsOf('folder')
  const requests = await textsOf('request')
  const documents = await textsOf('document')
  const texts = { collection: tree.collection, folders, requests, documents }
  return writeInThread(texts, { format, only })
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
