import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { seed } from '../../../bench/http/seed.js'
import { emitAudit } from '../../../commands/log/audit/events.js'
import { documentsTable } from '../../../commands/records/document/table.js'
import { openReadyLedger } from '../../../src/app/hub.js'
import { LiveHub } from '../../../src/app/live.js'
import { parseConfig } from '../../../src/config/load.js'
import { createServer } from '../../../src/http/server.js'
import type { RowOp } from '../../../src/storage/storage.js'
import { commitEvent } from '../../support/commit.js'
import { watchTurns } from '../../support/turns.js'

// A hub in a process of its own, whose memory and longest turn are its own. Its documents lie in the read table alone, which
// makes no difference to who lists them.

/** What the hub is to hold, and where. */
export interface Filling {
  readonly db: unknown
  readonly documents: number
  readonly bytes: number
}

/** What a filled hub is asked with. */
export interface Filled {
  readonly port: number
  readonly pid: number
  readonly secret: string
  readonly path: string
}

/** What has been measured since it was asked for last. */
export interface Measured {
  readonly longestTurn_ms: number
  readonly peakRss_MB: number
}

const APPLIED_BYTES = 16 * 1024 * 1024

const { db, documents, bytes } = await new Promise<Filling>((resolve) => process.once('message', resolve))
const text = JSON.stringify({ server: { host: '127.0.0.1', port: 1 }, db, redis: { driver: 'memory' } })
const load = () => parseConfig(text, 'server.yaml', process.cwd(), {})
const {
  secret,
  grown: [grown]
} = await seed(load().config)
if (!grown) throw new Error('There is no collection to fill.')
await fill(grown.id)
const app = createServer(await LiveHub.open(load, () => pino({ level: 'silent' })), pino({ level: 'silent' }))
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const turns = watchTurns()
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 20).unref()
process.on('message', () => {
  const measured: Measured = { longestTurn_ms: Math.round(turns.taken()), peakRss_MB: Math.round(peak / 2 ** 20) }
  peak = 0
  process.send?.(measured)
})
process.once('disconnect', () => process.exit())
process.send?.({ port, pid: process.pid, secret, path: `/collections/${grown.id}/documents` } satisfies Filled)

async function fill(collectionId: string): Promise<void> {
  const ledger = await openReadyLedger(load().config)
  const at = '2026-01-02T03:04:05.678Z'
  const content = 'abc"é\n'.repeat(bytes / 8)
  let ops: RowOp[] = []
  for (let i = 0; i < documents; i++) {
    const id = randomUUID()
    const body = JSON.stringify({ id, name: `Document ${i}`, content, marker: null })
    const place = { collectionId, container: collectionId, sortOrder: i, sortKey: `document ${i}` }
    const made = { createdAt: at, updatedAt: at, createdBy: null, updatedBy: null }
    ops.push({
      op: 'put',
      table: documentsTable,
      row: { id, version: 1, revision: 1, ...place, ...made, body } as never
    })
    if (ops.length * bytes < APPLIED_BYTES && i < documents - 1) continue
    const told = emitAudit(randomUUID(), 'AuditRead', { filter: {} })
    await commitEvent(ledger.storage, told, ops)
    ops = []
  }
  await ledger.close()
}
