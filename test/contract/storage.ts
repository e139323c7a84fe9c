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
import { searchContract } from './search.js'
import { stateContract } from './state.js'
import { contractTables } from './tables.js'
import { textContract } from './texts.js'

/** What a part of the contract works with. */
export interface Contract {
  readonly test: Suite
  /** A fresh log that is set up. */
  fresh(): Promise<Storage>
  /** One more connection to the log that `fresh` or `empty` gave last. */
  again(): Promise<Storage>
  /** A log that nothing was ever set up for. */
  empty(): Promise<Storage>
}

/** Everything that the Storage port promises, of one driver. */
export function storageContract(test: Suite, open: () => Promise<TestDatabase>): void {
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
  test.before(async () => {
    database = await open()
  })
  test.after.each(() => database.disconnect())
  test.after(() => database.remove())
  const contract: Contract = { test, fresh, again, empty }
  logContract(contract)
  rowContract(contract)
  listContract(contract)
  pageContract(contract)
  textContract(contract)
  generationContract(contract)
  schemaContract(contract)
  searchContract(contract)
  stateContract(contract)
  blobContract(contract)
}
