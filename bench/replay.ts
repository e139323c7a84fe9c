import { createHash } from 'node:crypto'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestsTable } from '../commands/records/request/table.js'
import { migrate } from '../migrations/migrate.js'
import { verify } from '../projections/verify.js'
import { openStorage } from '../src/app/databases.js'
import { openLedger } from '../src/app/openLedger.js'
import { rebuildInThread } from '../src/app/rebuildThread.js'
import { parseConfig } from '../src/config/load.js'
import type { DbConfig } from '../src/config/types.js'
import { type Ledger, systemOrigin } from '../src/ledger/ledger.js'
import type { StoredEvent } from '../src/log/event.js'
import type { Storage } from '../src/storage/storage.js'
import { verifyChain } from '../src/trust/audit/verify.js'
import { type Driver, type Place, postgres, sqlite } from '../test/http/drivers.js'
import type { Benchmark } from './benchmark.js'
import { history } from './replay/history.js'
import { onEachDriver } from './support/places.js'

const EVENTS = Number(process.env.HUB_BENCH_EVENTS ?? 200_000)
const WRITE_PAUSE_MS = 20
const READ_PAUSE_MS = 5
const PAGE = 5000
/** No hub hears of what is built here. */
const ALONE = parseConfig(
  'server: {host: 127.0.0.1, port: 1}\ndb: {driver: sqlite, path: unused}\nredis: {driver: memory}\n',
  'server.yaml',
  join(tmpdir(), 'hub-bench'),
  {}
).config

/** How fast the read tables are built anew while the hub serves, and how fast the chain is computed again. */
export const replayBenchmark: Benchmark = {
  name: 'replay',
  summary: 'rebuild of the read tables under live reads and writes; verification of the chain',
  async run({ drivers, only, print, progress }) {
    const among = [postgres, sqlite].filter(({ name }) => !drivers || drivers.some((one) => name.startsWith(one)))
    const measure = async ({ db }: Place, { name }: Driver) => {
      const [storage, writing] = await Promise.all([openStorage(db), openStorage(db)])
      try {
        await migrate(storage)
        progress(`${name}: writing ${EVENTS} events`)
        for (const { after, events, head } of history(EVENTS, await storage.head()))
          await storage.commit({ after, events, ops: [], head })
        // What was written has no rows yet: the first rebuild makes them.
        const quiet = await rateOf(() => rebuildInThread({ ...ALONE, db }, false))
        const ledger = await openLedger(writing, () => null)
        const under = await rebuiltUnderLoad(db, ledger)
        const { equal } = await verify(storage, ledger.readEvents, () => createHash('sha256'))
        const log = await whole(storage)
        const { rate: hashing } = await rateOf(() => verifyChain(inMemory(log)))
        const { rate: through } = await rateOf(() => verifyChain(storage))
        print(`${name}: ${EVENTS} events
  rebuild                       ${quiet.rate} events/s; processors busy ${busyness(quiet)}
  rebuild under load            ${under.rate} events/s (${under.writes} writes and ${under.reads} reads meanwhile)
  failed or short reads         ${under.failed}
  digests                       ${equal ? 'equal' : 'DIFFERENT'}
  longest write                 ${under.longest_ms.toFixed(1)} ms; around the switch ${under.switch_ms.toFixed(1)} ms
  chain, events in memory       ${hashing} events/s
  chain, through the database   ${through} events/s
`)
      } finally {
        await writing.close()
        await storage.close()
      }
    }
    await onEachDriver({ only, print }, measure, among)
  }
}

/** A rebuild while a process of its own log writes and reads: every read must find what it found before. */
async function rebuiltUnderLoad(db: DbConfig, ledger: Ledger) {
  const { storage } = ledger
  const expected = await ledger.storage
    .rows((await storage.head()).generation)
    .count(requestsTable, 'byCollection', ['c1'])
  const writes: { readonly at: number; readonly took_ms: number }[] = []
  let [reads, failed, isOver] = [0, 0, false]
  const write = async () => {
    for (let i = 0; !isOver; i++) {
      const at = performance.now()
      const data = { actorId: 'nobody', afterPosition: 0, throughPosition: 0 }
      await ledger.run({ type: 'EraseNames', id: `w${i}`, data }, systemOrigin)
      writes.push({ at, took_ms: performance.now() - at })
      await sleep(WRITE_PAUSE_MS)
    }
  }
  const read = async () => {
    for (; !isOver; reads++) {
      await ledger.readModel.current()
      const rows = await ledger.readModel
        .list(requestsTable, 'byCollection', ['c1'], { limit: expected + 1 })
        .catch(() => [])
      if (rows.length !== expected) failed++
      await sleep(READ_PAUSE_MS)
    }
  }
  const load = Promise.all([write(), read()])
  const started = performance.now()
  await rebuildInThread({ ...ALONE, db }, false)
  const ended = performance.now()
  await sleep(100)
  isOver = true
  await load
  const longest = (list: typeof writes) => list.reduce((most, { took_ms }) => Math.max(most, took_ms), 0)
  const around = writes.filter(({ at, took_ms }) => at + took_ms >= ended - 50 && at <= ended + 50)
  const rate = Math.round((EVENTS / (ended - started)) * 1000)
  return { rate, writes: writes.length, reads, failed, longest_ms: longest(writes), switch_ms: longest(around) }
}

async function whole(storage: Storage): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let page = await storage.readLog(0, PAGE); page.length > 0; page = await storage.readLog(events.length, PAGE))
    events.push(...page)
  return events
}

function inMemory(log: readonly StoredEvent[]) {
  const last = log.at(-1)
  if (!last) throw new Error('The log is empty.')
  const head = { position: last.position, chain: last.chain, at: last.at, generation: 1 }
  const readLog = async (after: number, limit: number) => log.slice(Math.max(0, after), Math.max(0, after + limit))
  return { head: async () => head, readLog, readHeaders: readLog }
}

/** How fast something went, and how many processors were busy meanwhile: with its own work, and all on the machine. */
interface Rate {
  readonly rate: number
  readonly own: number
  readonly all: number
}

async function rateOf(work: () => Promise<unknown>): Promise<Rate> {
  const [started, cpuBefore, busyBefore] = [performance.now(), process.cpuUsage(), busy_ms()]
  await work()
  const took_ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpuBefore)
  const own = (user + system) / 1000 / took_ms
  return { rate: Math.round((EVENTS / took_ms) * 1000), own, all: (busy_ms() - busyBefore) / took_ms }
}

/** What the databases take on the same machine bounds what more threads could win. */
function busyness({ own, all }: Rate): string {
  return `${all.toFixed(2)} of ${cpus().length}, ${own.toFixed(2)} of them by this process`
}

/** How long the processors of the machine have worked since it was started, together. */
function busy_ms(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
}
