import { type Client, openClient } from '../../src/storage/firestore/client.js'
import { type Layout, layoutOf } from '../../src/storage/firestore/layout.js'
import { openFirestore } from '../../src/storage/firestore.js'
import type { Storage } from '../../src/storage/storage.js'
import { type FirestoreDatabase, firestoreDatabase } from '../support/databases.js'
import type { Suite } from '../support/suite.js'

/** A log on the Firestore of the tests, and what its documents are. */
interface TestLog {
  readonly storage: Storage
  readonly layout: Layout
  /** One more connection to it, as another process would have it. */
  again(): Promise<Storage>
  /** How many documents a collection has. */
  count(parent: string, collection: string): Promise<number>
}

/** What tests of the Firestore driver alone work with. */
interface TestLogs {
  /** The driver's own way to Firestore. */
  readonly client: Client
  /** A log of the test's own that is set up. */
  fresh(): Promise<TestLog>
}

/** Opens logs for the tests of a suite. */
export function testLogs(test: Suite): TestLogs {
  let database: FirestoreDatabase
  let client: Client
  let logs = 0
  const open: Storage[] = []
  test.before(async () => {
    const found = await firestoreDatabase('contract')
    if (!found) throw new Error('There is no Firestore emulator.')
    database = found
    client = await openClient(database.config)
  })
  test.after.each(() => Promise.all(open.splice(0).map((storage) => storage.close())))
  test.after(async () => {
    await client.close()
  })
  return {
    get client() {
      return client
    },
    async fresh() {
      const prefix = `log${++logs}_`
      const again = async () => {
        const storage = await openFirestore({ ...database.config, prefix })
        open.push(storage)
        return storage
      }
      const storage = await again()
      await storage.schema.createTables()
      const count = (parent: string, collection: string) =>
        client.count((store) => store.collection(`${parent}/${collection}`))
      return { storage, layout: layoutOf(prefix), again, count }
    }
  }
}
