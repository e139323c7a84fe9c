import { Command, Option } from 'clipanion'
import { collectionsTable } from '../projections/collections.js'
import { attributionOf, nameOf } from '../projections/record.js'
import { requestsTable } from '../projections/requests.js'
import { type NamedRecord, namesInCollection } from '../queries/names.js'
import type { Ledger } from '../src/ledger.js'
import type { ReadStore } from '../src/storage/storage.js'
import { LedgerCommand } from './command.js'
import { CliError } from './errors.js'
import { personText, userNames } from './names.js'
import { recordId } from './record-names.js'

export class CollectionListCommand extends LedgerCommand {
  static override readonly paths = [['collection', 'list']]
  static override readonly usage = Command.Usage({
    description: 'List the collections by name, with their number of requests',
    examples: [['All of them', '$0 collection list']]
  })

  protected async on({ view }: Ledger): Promise<void> {
    const collections = await summaries(view)
    if (this.json) return this.printJson({ collections })
    if (collections.length === 0) return this.print('No collections found.')
    const people = collections.flatMap(({ createdByUserId, updatedByUserId }) => [createdByUserId, updatedByUserId])
    const names = await userNames(view, people, (id) => id)
    this.printList(
      ['id', 'requests', 'updated', 'name'],
      collections.map(({ id, name, requests, updatedAt }) => [id, String(requests), updatedAt, name]),
      collections.flatMap(({ id, name, requests, createdAt, updatedAt, createdByUserId, updatedByUserId }) => [
        `- id: ${id}`,
        `  name: ${name}`,
        `  requests: ${requests}`,
        `  created: ${createdAt}`,
        `  updated: ${updatedAt}`,
        `  created by: ${personText(names, createdByUserId)}`,
        `  updated by: ${personText(names, updatedByUserId)}`
      ])
    )
  }
}

async function summaries(read: ReadStore) {
  const result = []
  for (const row of await read.list(collectionsTable, 'byName', [])) {
    // One after another: a large hub has more collections than a database has connections.
    const requests = await read.count(requestsTable, 'byCollection', [row.id])
    const name = nameOf(row)
    result.push({ id: row.id, name, deletionLocked: row.deletionLocked, requests, ...attributionOf(row) })
  }
  return result
}

export class CollectionShowCommand extends LedgerCommand {
  static override readonly paths = [['collection', 'show']]
  static override readonly usage = Command.Usage({
    description: 'Show a collection with the folders, requests and documents in it, by their names',
    examples: [['By its name', '$0 collection show Payments']]
  })

  readonly named = Option.String({ name: 'collection' })

  protected async on(ledger: Ledger): Promise<void> {
    const { view } = ledger
    const id = await recordId(ledger, 'collection', this.named, 'live')
    const row = await view.get(collectionsTable, id)
    if (!row) throw new CliError(`The collection ${id} is deleted. See: hub deleted`)
    const folders = await namesInCollection(view, 'folder', id)
    const requests = await namesInCollection(view, 'request', id)
    const documents = await namesInCollection(view, 'document', id)
    const [name, attribution] = [nameOf(row), attributionOf(row)]
    if (this.json) {
      const lists = { folders: folders.map(listed), requests: requests.map(listed), documents: documents.map(listed) }
      return this.printJson({ id, name, deletionLocked: row.deletionLocked, ...attribution, ...lists })
    }
    const { createdByUserId, updatedByUserId } = attribution
    const names = await userNames(view, [createdByUserId, updatedByUserId], (id) => id)
    this.print(
      `- id: ${id}`,
      `  name: ${name}`,
      `  folders: ${folders.length}`,
      `  requests: ${requests.length}`,
      `  documents: ${documents.length}`,
      `  deletion: ${row.deletionLocked ? 'locked' : 'allowed'}`,
      `  created: ${attribution.createdAt}`,
      `  updated: ${attribution.updatedAt}`,
      `  created by: ${personText(names, createdByUserId)}`,
      `  updated by: ${personText(names, updatedByUserId)}`
    )
    const items = [
      ...folders.map((one) => ({ ...one, kind: 'folder' })),
      ...requests.map((one) => ({ ...one, kind: 'request' })),
      ...documents.map((one) => ({ ...one, kind: 'document' }))
    ]
    if (items.length > 0) this.print('  in it:')
    for (const line of treeLines(items)) this.print(line)
  }
}

function listed({ id, name, folderId }: NamedRecord) {
  return { id, name, folderId }
}

type Item = NamedRecord & { readonly kind: string }

/** What is in a collection, folders first and what is in them below each, by its order. */
function* treeLines(items: readonly Item[]): Generator<string, void> {
  const inside = new Map<string | null, Item[]>()
  for (const item of items) inside.set(item.folderId, [...(inside.get(item.folderId) ?? []), item])
  const rank = ({ kind }: Item) => (kind === 'folder' ? 0 : 1)
  const sorted = (list: Item[] = []) => list.toSorted((a, b) => rank(a) - rank(b) || a.order - b.order)
  // Folders nest as deep as somebody has made them: those that wait are kept, and no call is made for each.
  const waiting = sorted(inside.get(null)).map((item) => ({ item, depth: 0 }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { item, depth } = next
    yield `${'  '.repeat(depth + 2)}${item.kind} ${item.id}  ${item.name}`
    const below = item.kind === 'folder' ? sorted(inside.get(item.id)) : []
    waiting.unshift(...below.map((item) => ({ item, depth: depth + 1 })))
  }
}
