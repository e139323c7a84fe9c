import type { Member } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import type { Ledger } from '../../ledger/ledger.js'
import { LIMITS } from '../../limits.js'
import { treeAt } from '../history/tree.js'
import type { Exported, ExportFormat } from './formats.js'
import { writeInThread } from './thread.js'

/** A collection as it is now, as a file in this format. 404 where it is not there, 413 where it holds too much for a file. */
export async function exportCollection(
  ledger: Pick<Ledger, 'readModel' | 'storage'>,
  collectionId: string,
  format: ExportFormat
): Promise<Exported> {
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
  return writeInThread({ collection: tree.collection, folders, requests, documents }, format)
}
