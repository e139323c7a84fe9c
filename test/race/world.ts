import { randomUUID } from 'node:crypto'
import type { Command } from '../../commands/index.js'
import { tables } from '../../projections/index.js'
import { replay } from '../../projections/replay.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { canonicalJson } from '../../src/log/canonical.js'
import { sha256 } from '../../src/log/chain.js'
import { anAccount } from '../decide/people.js'
import { troubles } from '../log/log.js'
import { openMemory } from '../support/memoryStorage.js'
import { everyRow } from '../support/rows.js'

/** A new account with access to everything, and its token. */
export function newUser(
  name: string,
  id: string = randomUUID(),
  tokenId: string = randomUUID()
): { readonly command: Command; readonly agent: CommandOrigin } {
  const token = { tokenId, prefix: 'hbk_test', hash: sha256(tokenId) }
  return {
    command: { type: 'CreateUser', id, account: anAccount(name), token },
    agent: { tokenId, address: '127.0.0.1', requestId: null }
  }
}

/** Makes an account with access to everything and returns who acts with its token. */
export async function settleUser(ledger: Ledger, name: string): Promise<CommandOrigin> {
  const { command, agent } = newUser(name)
  await ledger.run(command, systemOrigin)
  return agent
}

/** Commands that make so many collections, each with an id of its own. */
export function newCollections(count: number, name = 'collection'): (Command & { readonly id: string })[] {
  return Array.from({ length: count }, (_, i) => ({ type: 'CreateCollection', id: randomUUID(), name: `${name} ${i}` }))
}

/** Commands that make so many folders at the root of a collection. */
export function newFolders(count: number, collectionId: string): (Command & { readonly id: string })[] {
  return Array.from({ length: count }, (_, i) => ({
    type: 'CreateFolder',
    id: randomUUID(),
    collectionId,
    parentFolderId: null,
    name: `folder ${i}`
  }))
}

/** What is wrong with a log and its read tables: empty where the log is whole and the tables equal its replay. */
export async function wrongs({
  storage,
  readEvents
}: Pick<Ledger, 'storage' | 'readEvents'>): Promise<readonly string[]> {
  const found = [...(await troubles(storage))]
  const memory = openMemory()
  await memory.schema.createTables()
  // One state of head and rows: what a killed process had sent may still arrive meanwhile.
  await storage.snapshot(async (live) => {
    const builder = await memory.createGeneration(2, null, 'replay')
    await replay(memory, readEvents, { generation: 2, builder, from: 0, to: live.head.position })
    for (const table of tables) {
      const rows = await everyRow((after, limit) => live.scan(table, after, limit))
      const replayed = await everyRow((after, limit) => memory.scan(2, table, after, limit))
      const texts = new Map(replayed.map((row) => [row.id, canonicalJson(row)]))
      if (rows.length !== replayed.length) found.push(`${table.name}: ${rows.length} rows, replayed ${replayed.length}`)
      for (const row of rows) {
        const text = canonicalJson(row)
        if (texts.get(row.id) !== text) found.push(`${table.name}: ${text}, replayed ${texts.get(row.id)}`)
      }
    }
  })
  return found
}
