import { randomUUID } from 'node:crypto'
import { openReadyLedger } from '../../src/app/hub.js'
import { parseConfig } from '../../src/config/load.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { keepHeapSmall } from '../../src/lib/heap.js'
import { content } from '../../test/decide/made.js'

// A process that writes: updates requests of a collection of its own, as fast as its clients, each of which waits for its answer.
// node writer.js <server.yaml as JSON>

/** What it is told to do. */
export interface Told {
  readonly seconds: number
}

/** What it did: how often, how long each took, and how often another process was faster. */
export interface Done {
  readonly writes: number
  readonly times_ms: readonly number[]
  readonly cpu_us: number
  readonly conflicts: number
}

const CLIENTS = 16
const REQUESTS = 50

keepHeapSmall()
const ledger = await openReadyLedger(parseConfig(process.argv[2] ?? '', 'server.yaml', process.cwd(), {}).config, {})
const collectionId = randomUUID()
await ledger.run({ type: 'CreateCollection', id: collectionId, name: collectionId }, editorOrigin)
const place = { collectionId, folderId: null }
const ids = Array.from({ length: REQUESTS }, () => randomUUID())
for (const id of ids) await ledger.run({ type: 'CreateRequest', id, ...place, content: content('one') }, editorOrigin)

async function work({ seconds }: Told): Promise<Done> {
  const before = process.cpuUsage()
  const { conflicts } = ledger.writes()
  const times_ms: number[] = []
  const end = performance.now() + 1000 * seconds
  let number = 0
  const client = async () => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      const id = ids[number++ % REQUESTS] ?? ''
      const changed = { ...content('one'), url: `https://api.example.com/v1/items/${number}` }
      await ledger.run({ type: 'UpdateRequest', id, ...place, content: changed }, editorOrigin)
      times_ms.push(performance.now() - now)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const { user, system } = process.cpuUsage(before)
  return {
    writes: times_ms.length,
    times_ms,
    cpu_us: user + system,
    conflicts: ledger.writes().conflicts - conflicts
  }
}

process.on('message', (told: Told) => void work(told).then((done) => process.send?.(done)))
process.once('disconnect', () => void ledger.close().then(() => process.exit()))
process.send?.('ready')
