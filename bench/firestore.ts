import { setTimeout as sleep } from 'node:timers/promises'
import { SearchIndexer } from '../src/followers/search/indexer.js'
import { searchIndex } from '../src/followers/search/thread.js'
import type { DocumentCounts } from '../src/storage/storage.js'
import { firestore } from '../test/http/drivers.js'
import { startBeside, startHub, type TestHub } from '../test/http/support.js'
import { missingServices } from '../test/support/services.js'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { type Row, rows } from './http/rows.js'
import { fillSeed, type Seed } from './http/seed.js'
import { table } from './support/table.js'

const WARM_UP = 20
const REQUESTS = 50
/** Longer than what follows a write waits. */
const REST_MS = 4000
const IDLE_MS = 12_000
const MINUTE_MS = 60_000

type Asked = Pick<TestHub, 'hub' | 'send' | 'url'>

/** What requests to a hub on Firestore are paid for: documents, not times. */
export const firestoreBenchmark: Benchmark = {
  name: 'firestore',
  summary: 'documents that requests to a hub on Firestore read and write',
  async run(options) {
    const missing = await missingServices(firestore.needs)
    if (missing !== null) return options.print(`firestore: left out: ${missing}\n`)
    const hub = await startHub(firestore)
    try {
      const seed = await fillSeed(hub.hub.ledger)
      // What it does a second after a change would be counted with what is asked meanwhile.
      await hub.hub.ledger.indexer.stop()
      options.print(`${table([HEAD, ...(await requestsOf(hub, seed, options))])}\n`)
      options.print(table([['a minute', ...HEAD.slice(1)], ...(await minutesOf(hub, seed, options))]))
    } finally {
      await hub.close()
    }
  }
}

const HEAD = ['a request', 'read', 'written', 'deleted', 'commits', 'questions']

async function requestsOf(hub: TestHub, seed: Seed, { only, progress }: BenchOptions) {
  const lines: (readonly string[])[] = []
  const other = await startBeside(hub)
  await other.hub.ledger.indexer.stop()
  const { storage, readModel } = other.hub.ledger
  const indexer = new SearchIndexer(storage, readModel, searchIndex(null))
  await indexer.bringForward()
  let number = 0
  /** Sends so many requests of a kind, one after another or all at once, and waits until nothing follows them. */
  const asked = async (to: Asked, row: Row, count: number, atOnce: boolean) => {
    const send = async () => {
      const { status, text } = await to.send({ ...row.request(seed, number++), token: seed.secret })
      if (status >= 300) throw new Error(`${row.name} was answered ${status} ${text}`)
    }
    if (atOnce) await Promise.all(Array.from({ length: count }, send))
    else for (let i = 0; i < count; i++) await send()
  }
  const [session] = rows
  if (!session) return lines
  for (const row of rows.filter(({ name }) => only.length === 0 || only.includes(name))) {
    progress(row.name)
    const cold = await startBeside(hub)
    try {
      await cold.hub.ledger.indexer.stop()
      await sleep(REST_MS)
      const first = await spent(cold, () => asked(cold, row, 1, false))
      lines.push(line(`${row.name}, the first`, first, 1))
    } finally {
      await cold.close()
    }
    await asked(hub, row, WARM_UP, false)
    lines.push(line(row.name, await spent(hub, () => asked(hub, row, REQUESTS, false)), REQUESTS))
    lines.push(
      line(`${row.name}, ${REQUESTS} at once`, await spent(hub, () => asked(hub, row, REQUESTS, true)), REQUESTS)
    )
    const { position } = readModel.head
    await readModel.current()
    const written = readModel.head.position - position
    const indexing = await spent(other, () => indexer.bringForward())
    if (written > 0) lines.push(line(`search index, behind ${written} of these`, indexing, written))
    await asked(hub, session, WARM_UP, false)
    const put = rows.find(({ name }) => name === 'put')
    if (put) await asked(other, put, 1, false)
    const behind = await spent(hub, () => asked(hub, row, 1, false))
    lines.push(line(`${row.name}, after another hub's PUT`, behind, 1))
  }
  await indexer.close()
  await other.close()
  return lines
}

/** What a hub reads that nobody writes to, by who looks at it. */
async function minutesOf(hub: TestHub, { secret }: Seed, { progress }: BenchOptions) {
  const { tail, readModel } = hub.hub.ledger
  const lines: (readonly string[])[] = []
  const during = async (name: string, work: (until: number) => Promise<unknown>) => {
    progress(name)
    await work(performance.now() + REST_MS)
    const counts = await spent(hub, () => work(performance.now() + IDLE_MS))
    lines.push(line(name, counts, IDLE_MS / MINUTE_MS))
  }
  const every = (path: string, ms: number) => async (until: number) => {
    while (performance.now() < until) {
      await hub.send({ method: 'GET', path, token: secret })
      await sleep(ms)
    }
  }
  await during('nobody', (until) => sleep(until - performance.now()))
  await during('a client that follows changes', async (until) => {
    const over = new AbortController()
    const following = (async () => {
      while (!over.signal.aborted) await tail.waitForEvents(readModel.head.position, over.signal)
    })()
    await sleep(until - performance.now())
    over.abort()
    await following
  })
  await during('GET /readyz every two seconds', every('/readyz', 2000))
  await during('a session every two seconds', every('/auth/session', 2000))
  await during('five sessions a second', every('/auth/session', 200))
  return lines
}

/** What was asked of Firestore while the work was done. */
async function spent({ hub }: Pick<Asked, 'hub'>, work: () => Promise<unknown>): Promise<DocumentCounts> {
  const counts = () => {
    const found = hub.ledger.storage.documents()
    if (!found) throw new Error('This database does not count documents.')
    return found
  }
  const before = counts()
  await work()
  const after = counts()
  return {
    read: after.read - before.read,
    written: after.written - before.written,
    deleted: after.deleted - before.deleted,
    commits: after.commits - before.commits,
    questions: after.questions - before.questions
  }
}

function line(name: string, { read, written, deleted, commits, questions }: DocumentCounts, by: number) {
  return [name, ...[read, written, deleted, commits, questions].map((count) => String(Number((count / by).toFixed(2))))]
}
