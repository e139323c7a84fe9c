import { Command } from 'clipanion'
import { nameOf } from '../commands/named.js'
import { collectionsTable } from '../projections/collections.js'
import { attributionOf } from '../projections/record.js'
import { requestsTable } from '../projections/requests.js'
import { usersTable } from '../projections/users.js'
import type { ReadStore } from '../src/storage/storage.js'
import { AnsweringCommand } from './command.js'

/** `hub collection list`: every collection by name, with how much is in it and whose it is. */
export class CollectionListCommand extends AnsweringCommand {
  static override readonly paths = [['collection', 'list']]
  static override readonly usage = Command.Usage({
    category: 'Collections',
    description: 'List the collections by name, with their number of requests'
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view }) => {
      const collections = await summaries(view)
      if (this.json) return this.printJson({ collections })
      if (collections.length === 0) return this.print('No collections found.')
      const names = await namesOf(view, collections)
      const person = (id: string | null) => {
        const name = id === null ? undefined : names.get(id)
        return name === undefined ? (id ?? '-') : `${name} (${id})`
      }
      for (const { id, name, requests, createdAt, updatedAt, createdByUserId, updatedByUserId } of collections) {
        this.print(
          `- id: ${id}`,
          `  name: ${name}`,
          `  requests: ${requests}`,
          `  created: ${createdAt}`,
          `  updated: ${updatedAt}`,
          `  created by: ${person(createdByUserId)}`,
          `  updated by: ${person(updatedByUserId)}`
        )
      }
    })
  }
}

type Summary = Awaited<ReturnType<typeof summaries>>[number]

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

async function namesOf(read: ReadStore, collections: readonly Summary[]): Promise<ReadonlyMap<string, string>> {
  const ids = collections.flatMap((collection) => [collection.createdByUserId, collection.updatedByUserId])
  const rows = await read.getAll(usersTable, [...new Set(ids.filter((id) => id !== null))])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
