import { Option } from 'clipanion'
import { attributionOf, nameOf } from '../../commands/record.js'
import { collectionsTable } from '../../commands/records/collection/table.js'
import { MEMBERS, type Member } from '../../commands/records/kinds.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { type NamedRecord, namesInCollection } from '../../queries/names.js'
import { type Sharing, sharingOf } from '../../queries/sharing.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { grouped } from '../../src/lib/grouped.js'
import type { ReadStore } from '../../src/storage/storage.js'
import { LedgerCommand, usage } from '../lib/command.js'
import { existing, personText, userNames } from '../lib/names.js'
import { recordId } from '../lib/record-names.js'
import { block } from '../lib/table.js'

export class CollectionListCommand extends LedgerCommand {
  static override readonly usage = usage('collection list', {
    description: 'List the collections by name, with their number of requests',
    examples: [['All of them', '$0 collection list']]
  })

  protected async on({ readModel }: Ledger): Promise<void> {
    const collections = await summaries(readModel)
    if (this.json) return this.printJson({ collections })
    if (collections.length === 0) return this.print('No collections found.')
    const people = collections.flatMap(({ createdByUserId, updatedByUserId }) => [createdByUserId, updatedByUserId])
    const names = await userNames(readModel, people, (id) => id)
    this.printList(
      ['id', 'requests', 'updated', 'name'],
      collections.map(({ id, name, requests, updatedAt }) => [id, String(requests), updatedAt, name]),
      collections.flatMap(({ id, name, requests, ...at }) => block({ id, name, requests, ...attribution(at, names) }))
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
  static override readonly usage = usage('collection show', {
    description: 'Show a collection with the folders, requests and documents in it, by their names',
    examples: [['By its name', '$0 collection show Payments']]
  })

  readonly named = Option.String({ name: 'collection' })

  protected async on(ledger: Ledger): Promise<void> {
    const { readModel } = ledger
    const id = await recordId(ledger, 'collection', this.named, 'live')
    const row = await existing(readModel, collectionsTable, id, `The collection ${id} is deleted. See: hub deleted`)
    const items: Item[] = []
    for (const kind of MEMBERS)
      for (const one of await namesInCollection(readModel, kind, id)) items.push({ ...one, kind })
    const of = (kind: Member) => items.filter((one) => one.kind === kind).map(listed)
    const lists = { folders: of('folder'), requests: of('request'), documents: of('document') }
    const [name, at] = [nameOf(row), attributionOf(row)]
    if (this.json) return this.printJson({ id, name, deletionLocked: row.deletionLocked, ...at, ...lists })
    const names = await userNames(readModel, [at.createdByUserId, at.updatedByUserId], (id) => id)
    const { folders, requests, documents } = lists
    const counts = { folders: folders.length, requests: requests.length, documents: documents.length }
    const deletion = row.deletionLocked ? 'locked' : 'allowed'
    this.print(...block({ id, name, ...counts, deletion, ...attribution(at, names) }))
    if (items.length > 0) this.print('  in it:')
    for (const line of treeLines(items)) this.print(line)
  }
}

/** When a collection was made and changed last, and by whom. */
function attribution(at: ReturnType<typeof attributionOf>, names: ReadonlyMap<string | null, string>) {
  return {
    ...{ created: at.createdAt, updated: at.updatedAt },
    'created by': personText(names, at.createdByUserId),
    'updated by': personText(names, at.updatedByUserId)
  }
}

function listed({ id, name, folderId }: NamedRecord) {
  return { id, name, folderId }
}

type Item = NamedRecord & { readonly kind: Member }

/** What is in a collection, folders first and what is in them below each, by its order. */
function* treeLines(items: readonly Item[]): Generator<string, void> {
  const inside = grouped(items, ({ folderId }) => folderId)
  const rank = ({ kind }: Item) => (kind === 'folder' ? 0 : 1)
  const sorted = (list: readonly Item[] = []) => list.toSorted((a, b) => rank(a) - rank(b) || a.order - b.order)
  // Folders nest as deep as somebody has made them: the lists that go on are kept, and no call is made for each.
  const open = [sorted(inside.get(null)).values()]
  for (let list = open.at(-1); list; list = open.at(-1)) {
    const { value: item } = list.next()
    if (!item) open.pop()
    else {
      yield `${'  '.repeat(open.length + 1)}${item.kind} ${item.id}  ${item.name}`
      if (item.kind === 'folder') open.push(sorted(inside.get(item.id)).values())
    }
  }
}

export class CollectionAccessCommand extends LedgerCommand {
  static override readonly usage = usage('collection access', {
    description: 'List who may see a collection, what they may do with it, and why',
    details:
      'By name, each with the highest that they may: by an access list, by what was granted to them, or through a group. Administrators, who have all, are not among them.',
    examples: [
      ['By its name', '$0 collection access Payments'],
      ['For a program', '$0 collection access Payments --json']
    ]
  })

  readonly named = Option.String({ name: 'collection' })

  protected async on(ledger: Ledger): Promise<void> {
    const { readModel } = ledger
    const id = await recordId(ledger, 'collection', this.named, 'live')
    const row = await existing(readModel, collectionsTable, id, `The collection ${id} is deleted. See: hub deleted`)
    const sharing = await sharingOf(readModel, 'collection', id)
    if (this.json) return this.printJson({ id, name: nameOf(row), sharing })
    if (sharing.length === 0) return this.print('Nobody has this collection but administrators.')
    this.printList(
      ['id', 'role', 'why', 'name'],
      sharing.map((one) => [one.userId, one.role, whyOf(one), one.name]),
      sharing.flatMap((one) => block({ id: one.userId, name: one.name, role: one.role, why: whyOf(one) }))
    )
  }
}

/** By what somebody has a record. */
function whyOf({ by, group }: Sharing): string {
  if (by === 'group') return `through group ${group}`
  return by === 'list' ? 'by their access list' : 'granted to them'
}
