import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { collectionContent } from '../../commands/records/collection/events.js'
import type { CopiedMember, CopyCommand } from '../../commands/records/copy/decide.js'
import { documentContent } from '../../commands/records/document/events.js'
import { folderBody } from '../../commands/records/folder/events.js'
import { descendants } from '../../commands/records/folder/kind.js'
import { itemPositionOf } from '../../commands/records/kind.js'
import { GAP } from '../../commands/records/order.js'
import { requestContent } from '../../commands/records/request/events.js'
import { errors } from '../errors.js'
import type { Ledger } from '../ledger/ledger.js'
import { LIMITS } from '../limits.js'
import type { Row } from '../storage/storage.js'
import { type Tree, treeAt } from './history/tree.js'

type Source = Pick<Ledger, 'readModel' | 'storage'>

/** A command that makes a copy, with how many characters that holds. */
interface Prepared<T extends CopyCommand['type']> {
  readonly command: Extract<CopyCommand, { readonly type: T }>
  readonly characters: number
}

const folder = folderBody.extend({ id: z.string(), sortOrder: z.number(), parentFolderId: z.string().nullable() })
const item = z.object({ sortOrder: z.number(), folderId: z.string().nullable() })

/** What makes another of a collection with all that it holds now. 404 where it is not there, 413 where it holds too much. */
export async function copyOfCollection(
  source: Source,
  { id: from, name }: { readonly id: string; readonly name: string }
): Promise<Prepared<'CopyCollection'>> {
  const { collection, members, characters } = await copied(source, from, from, null)
  const content = { ...collectionContent.parse(JSON.parse(collection)), name }
  return { command: { type: 'CopyCollection', id: randomUUID(), content, members }, characters }
}

/** What makes another of a folder with all that is in it now, behind the last one beside it. Refused as that of a collection is. */
export async function copyOfFolder(source: Source, row: Row, name: string): Promise<Prepared<'CopyFolder'>> {
  const { collectionId, inside: parentFolderId } = itemPositionOf(row)
  const id = randomUUID()
  const { members, characters } = await copied(source, collectionId, row.id, id)
  const content = { ...folderBody.parse(JSON.parse(row.body)), name }
  return { command: { type: 'CopyFolder', id, collectionId, parentFolderId, content, members }, characters }
}

/** All that is below a folder of a collection, or below the collection itself, as members of what is `into`: null for a root. */
async function copied(source: Source, collectionId: string, from: string, into: string | null) {
  const tree = await treeAt(source, collectionId, source.readModel.head.position)
  if (!tree) throw errors.notFound('Collection')
  const { collection } = tree
  const members: CopiedMember[] = []
  let characters = collection.length
  const add = (text: string, member: CopiedMember) => {
    characters += text.length
    members.push(member)
    if (members.length > LIMITS.copyItems.max || characters > LIMITS.copyContent.max) throw errors.copyTooLarge()
  }
  const folders = await foldersBelow(tree, collectionId, from)
  const ids = new Map([[from, into], ...folders.map(({ id }) => [id, randomUUID()] as const)])
  for (const { id, text, container } of folders) {
    const { sortOrder, ...content } = folder.parse(JSON.parse(text))
    const place = { parentId: ids.get(container) ?? into, sortOrder: orderOf(sortOrder) }
    add(text, { kind: 'folder', id: ids.get(id) ?? id, ...place, content: folderBody.parse(content) })
  }
  const isWanted = (row: Row) => from === collectionId || ids.has(itemPositionOf(row).inside ?? '')
  for (const kind of ['request', 'document'] as const) {
    for await (const texts of tree.records(kind, isWanted))
      for (const text of texts) {
        const read: unknown = JSON.parse(text)
        const { folderId, sortOrder } = item.parse(read)
        const place = { parentId: ids.get(folderId ?? '') ?? into, sortOrder: orderOf(sortOrder) }
        const member = { id: randomUUID(), ...place }
        if (kind === 'request') add(text, { ...member, kind, content: requestContent.parse(read) })
        else add(text, { ...member, kind, content: documentContent.parse(read) })
      }
  }
  return { collection, members, characters }
}

/** The order by which something stands at a place among its siblings. */
const orderOf = (place: number) => (place + 1) * GAP

/** The folders below a folder or the collection, each before those in it. One whose folder is not there stands at the root. */
async function foldersBelow(tree: Tree, collectionId: string, from: string) {
  const all = new Map<string, { readonly id: string; readonly text: string; readonly parentFolderId: string | null }>()
  for await (const texts of tree.records('folder'))
    for (const text of texts) {
      const { id, parentFolderId } = folder.parse(JSON.parse(text))
      all.set(id, { id, text, parentFolderId })
    }
  const branches = [...all.values()].map(({ id, text, parentFolderId }) => {
    const container = parentFolderId !== null && all.has(parentFolderId) ? parentFolderId : collectionId
    return { id, text, container }
  })
  const byId = new Map(branches.map((branch) => [branch.id, branch]))
  return descendants(from, branches).flatMap((id) => byId.get(id) ?? [])
}
