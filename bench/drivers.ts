import { randomUUID } from 'node:crypto'
import { migrate } from '../migrations/migrate.js'
import { openStorage } from '../src/app/databases.js'
import { openLedger } from '../src/app/openLedger.js'
import { systemOrigin } from '../src/ledger/ledger.js'
import type { Benchmark } from './benchmark.js'
import { onEachDriver } from './support/places.js'

const THEN = '2024-03-05T10:20:30.000Z'
const origin = { createdAt: THEN, updatedAt: THEN, createdBy: null, updatedBy: null }

/** One event of about 300 bytes: a folder taken over. */
function folder(collectionId: string, sortOrder: number) {
  const data = { collectionId, parentFolderId: null, sortOrder, name: `Folder ${sortOrder}`, marker: null, origin }
  return { stream: `folder-${randomUUID()}`, type: 'FolderImported', data }
}

/** Commands of one event a second, with so many clients at once; each is durable when it is counted. */
export const driversBenchmark: Benchmark = {
  name: 'drivers',
  summary: 'writes per second of each driver side by side',
  async run({ seconds, connections, only, print }) {
    print(`Commands of one event, ${connections} clients at once, ${seconds} s\n`)
    await onEachDriver({ only, print }, async ({ db }, { name }) => {
      const storage = await openStorage(db)
      await migrate(storage)
      const ledger = await openLedger(storage, () => null)
      let count = 0
      const until = performance.now() + seconds * 1000
      const client = async () => {
        while (performance.now() < until) {
          await ledger.run({ type: 'ImportRecords', records: [folder('c-1', count++)] }, systemOrigin)
        }
      }
      const started = performance.now()
      await Promise.all(Array.from({ length: connections }, client))
      print(`${name.padEnd(20)} ${Math.round((count / (performance.now() - started)) * 1000)} writes/s\n`)
      await ledger.close()
    })
  }
}
