import type { Storage } from '../../src/storage/storage.js'
import type { Suite } from '../support/suite.js'
import { blobContract } from './blobs.js'
import type { TestDatabase } from './databases.js'
import { generationContract } from './generations.js'
import { listContract } from './lists.js'
import { logContract } from './log.js'
import { pageContract } from './pages.js'
import { rowContract } from './rows.js'
import { schemaContract } from './schema.js'
import { stateContract } from './state.js'
import { contractTables } from './tables.js'
import { textContract } from './texts.js'
import { writeContract } from './writes.js'

/** What a part of the contract works with. */
export interface Contract {
  readonly test: Suite
  /** A fresh log that is set up. */
  fresh(): Promise<Storage>
  /** One more connection to the log that `fresh` or `empty` gave last. */
  again(): Promise<Storage>
  /** A log that nothing was ever set up for. */
  empty(): Promise<Storage>
  /** Logs that are set up in one database, by how their prefixes go on; none where logs go with their process. */
  logs(prefixes: readonly string[]): Promise<readonly Storage[]>
}

/** Everything that the Storage port promises, of one driver; `more` is what it promises beside. */
export function storageContract(
  test: Suite,
  open: () => Promise<TestDatabase>,
  ...more: readonly ((contract: Contract) => void)[]
): void {
  let database: TestDatabase
  let logs = 0
  // Logs that share a database: each test has its own, told apart by its prefix.
  const again = () => database.open(contractTables, `log${logs}_`)
  const empty = () => {
    logs++
    return again()
  }
  const fresh = async () => {
    const storage = await empty()
    await storage.schema.createTables()
    return storage
  }
  const named = async (prefixes: readonly string[]) => {
    if (database.config === null) return []
    logs++
    return Promise.all(
      prefixes.map(async (prefix) => {
        const storage = await database.open(contractTables, `log${logs}${prefix}`)
        await storage.schema.createTables()
        return storage
      })
    )
  }
  test.before(async () => {
    database = await open()
  })
  test.after.each(() => database.disconnect())
  const contract: Contract = { test, fresh, again, empty, logs: named }
  logContract(contract)
  rowContract(contract)
  listContract(contract)
  pageContract(contract)
  textContract(contract)
  generationContract(contract)
  schemaContract(contract)
  stateContract(contract)
  blobContract(contract)
  writeContract(contract)
  for (const part of more) part(contract)
}
