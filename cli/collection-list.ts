import { Command } from 'clipanion'
import { collectionsTable } from '../projections/collections.js'
import { attributionOf, nameOf } from '../projections/record.js'
import { requestsTable } from '../projections/requests.js'
import type { Ledger } from '../src/ledger.js'
import type { ReadStore } from '../src/storage/storage.js'
import { peopleOf } from './collection-show.js'
import { LedgerCommand } from './command.js'

/** `hub collection list`: every collection by name, with how much is in it and whose it is. */
export class CollectionListCommand extends LedgerCommand {
  static override readonly paths = [['collection', 'list']]
  static override readonly usage = Command.Usage({
    category: 'Collections',
    description: 'List the collections by name, with their number of requests',
    examples: [['All of them', '$0 collection list']]
  })

  protected async on({ view }: Ledger): Promise<void> {
    const collections = await summaries(view)
    if (this.json) return this.printJson({ collections })
    if (collections.length === 0) return this.print('No collections found.')
    const ids = collections.flatMap((collection) => [collection.createdByUserId, collection.updatedByUserId])
    const people = await peopleOf(view, ids)
    this.printList(
      ['id', 'requests', 'updated', 'name'],
      collections.map(({ id, name, requests, updatedAt }) => [id, String(requests), updatedAt, name]),
      collections.flatMap(({ id, name, requests, createdAt, updatedAt, createdByUserId, updatedByUserId }) => [
        `- id: ${id}`,
        `  name: ${name}`,
        `  requests: ${requests}`,
        `  created: ${createdAt}`,
        `  updated: ${updatedAt}`,
        `  created by: ${people(createdByUserId)}`,
        `  updated by: ${people(updatedByUserId)}`
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
