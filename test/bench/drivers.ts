import { createHash, randomUUID } from 'node:crypto'
import { migrate } from '../../migrations/migrate.js'
import { verify } from '../../projections/verify.js'
import { openStorage } from '../../src/hub.js'
import { type Ledger, openLedger, systemAgent } from '../../src/ledger.js'
import { rebuild } from '../../src/rebuild.js'
import { type Driver, drivers } from '../http/drivers.js'
import { missingServices } from '../support/services.js'
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
          await ledger.run({ type: 'ImportRecords', records: [folder('c-1', count++)] }, systemAgent)
        }
      }
      const started = performance.now()
      await Promise.all(Array.from({ length: connections }, client))
      return `${Math.round((count / (performance.now() - started)) * 1000)} writes/s`
    })
  }
}

const REPLAYED = 20_000

/** How fast the read tables are built anew, and how fast they are compared with a replay. */
export const replayBenchmark: Benchmark = {
  name: 'replay',
  summary: 'rebuild and verification of the read tables on each driver',
  async run({ print }) {
    print(`${REPLAYED} events\n`)
    await onEach(print, async (ledger) => {
      for (let batch = 0; batch < REPLAYED / 200; batch++) {
        const records = Array.from({ length: 200 }, (_, i) => folder('c-1', batch * 200 + i))
        await ledger.run({ type: 'ImportRecords', records }, systemAgent)
      }
      const rebuilt = await rateOf(() => rebuild(ledger.storage))
      const verified = await rateOf(() => verify(ledger.storage, ledger.readEvents, () => createHash('sha256')))
      return `rebuild ${rebuilt} events/s, verify ${verified} events/s`
    })
  }
}

async function rateOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round((REPLAYED / (performance.now() - started)) * 1000)
}
