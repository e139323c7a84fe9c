import { randomUUID } from 'node:crypto'
import { migrate } from '../migrations/migrate.js'
import { openStorage } from '../src/app/hub.js'
import { type Ledger, openLedger, systemOrigin } from '../src/ledger/ledger.js'
import { type Driver, drivers } from '../test/http/drivers.js'
import { missingServices } from '../test/support/services.js'
import type { Benchmark } from './benchmark.js'

const LIMITS = { maxFailures: 10, windowSeconds: 900, blockSeconds: 900, maxFailuresPerAddress: 100 }
const THEN = '2024-03-05T10:20:30.000Z'
const origin = { createdAt: THEN, updatedAt: THEN, createdBy: null, updatedBy: null }

/** One event of about 300 bytes: a folder taken over. */
function folder(collectionId: string, sortOrder: number) {
  const data = { collectionId, parentFolderId: null, sortOrder, name: `Folder ${sortOrder}`, marker: null, origin }
  return { stream: `folder-${randomUUID()}`, type: 'FolderImported', data }
}

/** Runs `work` with a ledger on a database of its own on each driver that is there. */
async function onEach(print: (text: string) => void, work: (ledger: Ledger, driver: Driver) => Promise<string>) {
  for (const driver of drivers) {
    const missing = await missingServices(driver.needs)
    if (missing !== null) {
      print(`${driver.name.padEnd(20)} left out: ${missing}\n`)
      continue
    }
    const place = await driver.open('bench', LIMITS)
    try {
      const storage = await openStorage(place.db)
      await migrate(storage)
      const ledger = await openLedger(storage, () => null)
      print(`${driver.name.padEnd(20)} ${await work(ledger, driver)}\n`)
      await ledger.close()
    } finally {
      await place.remove()
    }
  }
}

/** Commands of one event a second, with so many clients at once; each is durable when it is counted. */
export const driversBenchmark: Benchmark = {
  name: 'drivers',
  summary: 'writes per second of each driver side by side',
  async run({ seconds, connections, print }) {
    print(`Commands of one event, ${connections} clients at once, ${seconds} s\n`)
    await onEach(print, async (ledger) => {
      let count = 0
      const until = performance.now() + seconds * 1000
      const client = async () => {
        while (performance.now() < until) {
          await ledger.run({ type: 'ImportRecords', records: [folder('c-1', count++)] }, systemOrigin)
        }
      }
      const started = performance.now()
      await Promise.all(Array.from({ length: connections }, client))
      return `${Math.round((count / (performance.now() - started)) * 1000)} writes/s`
    })
  }
}
