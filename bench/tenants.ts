import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { LiveHub } from '../src/app/live.js'
import { migrateDatabase } from '../src/app/start.js'
import { parseConfig } from '../src/config/load.js'
import type { HubConfig } from '../src/config/types.js'
import { editorOrigin, type Ledger, systemOrigin } from '../src/ledger/ledger.js'
import { LIMITS } from '../src/limits.js'
import { configOfTenant } from '../src/tenants/config.js'
import { drawPlace, setUp } from '../src/tenants/setup.js'
import type { Tenants } from '../src/tenants/tenants.js'
import { heldNow } from '../test/support/memory.js'
import type { Benchmark } from './benchmark.js'
import { onEachDriver } from './support/places.js'
import { table } from './support/table.js'
import { median, timed } from './support/times.js'

const TENANTS = 1000
/** So many are open at once in the part that measures it. */
const OPEN = 50
const WRITERS = 16
const WRITES = 100

/**
 * Tenants of one hub, 1000 or as many as `--scale` says of them: what one takes to make, to open, while it is open and when it is
 * closed again; and how many writes a second one tenant has, and several at once.
 */
export const tenantsBenchmark: Benchmark = {
  name: 'tenants',
  summary: 'many tenants in one process: memory, opening, writes of one and of several at once',
  async run({ scale, only, print, progress }) {
    const count = Math.max(OPEN, Math.round(TENANTS * scale))
    await onEachDriver({ only, print }, async ({ db, redis }, { name }) => {
      const multitenancy = { enabled: true, maxOpen: Math.min(count, LIMITS.tenantsOpen.max) }
      const text = JSON.stringify({ server: { host: '127.0.0.1', port: 1 }, db, redis, multitenancy })
      const load = () => parseConfig(text, 'server.yaml', process.cwd(), {})
      await migrateDatabase(load().config)
      const live = await LiveHub.open(load, () => pino({ level: 'silent' }))
      try {
        progress(`${name}: ${count} tenants`)
        print(`${name}: ${count} tenants\n${table([['', ''], ...(await measured(live, count))])}\n`)
      } finally {
        await live.close()
      }
    })
  }
}

async function measured(live: LiveHub, count: number): Promise<readonly (readonly [string, string])[]> {
  const { tenants, hub } = live
  if (!tenants) throw new Error('This hub has no tenants.')
  const started = performance.now()
  for (let i = 0; i < count; i++) await make(live, hub.config, `t${i}`)
  const making_ms = (performance.now() - started) / count
  const rest = heldNow()
  const opening: number[] = []
  for (let i = 0; i < OPEN; i++) opening.push(await timed(() => touch(tenants, `t${i}`)))
  const open = heldNow()
  const again: number[] = []
  for (let i = 0; i < OPEN; i++) again.push(await timed(() => touch(tenants, `t${i}`)))
  await closeAll(tenants)
  for (let i = OPEN; i < count; i++) {
    await touch(tenants, `t${i}`)
    if (i % OPEN === 0) await closeAll(tenants)
  }
  await closeAll(tenants)
  const closed = heldNow()
  const one = await writesPerSecond(tenants, 1)
  const four = await writesPerSecond(tenants, 4)
  const sixteen = await writesPerSecond(tenants, 16)
  const kB = (bytes: number) => `${Math.round(bytes / 1024)} kB`
  return [
    ['to make one', `${making_ms.toFixed(1)} ms`],
    ['to open one, p50 and longest', `${median(opening).toFixed(1)} and ${Math.max(...opening).toFixed(1)} ms`],
    ['to ask for one that is open, p50', `${(1000 * median(again)).toFixed(0)} us`],
    ['memory of one that is open', kB((open - rest) / OPEN)],
    ['memory of one that was opened and closed', kB(Math.max(0, closed - rest) / count)],
    ['writes a second, one tenant', String(one)],
    ['writes a second, four tenants', String(four)],
    ['writes a second, sixteen tenants', String(sixteen)]
  ]
}

async function make({ hub: { ledger } }: LiveHub, config: HubConfig, tenant: string): Promise<void> {
  const at = { tenant, database: null, place: drawPlace() }
  const own = configOfTenant(config, at)
  await setUp(own)
  await ledger.run({ type: 'CreateTenant', id: randomUUID(), name: tenant, ...at }, systemOrigin)
}

async function touch(tenants: Tenants, tenant: string): Promise<void> {
  const entered = await tenants.enter(tenant)
  entered?.leave()
}

/** What sixteen writers do together, each of which waits for its answers, at so many tenants. */
async function writesPerSecond(tenants: Tenants, count: number): Promise<number> {
  const entered = await Promise.all(Array.from({ length: count }, (_, i) => tenants.enter(`t${i}`)))
  const ledgers = entered.flatMap((one) => one?.hub.ledger ?? [])
  const started = performance.now()
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0; i < WRITES; i++) await write(ledgers[writer % ledgers.length], `${writer} ${i}`)
    })
  )
  const seconds = (performance.now() - started) / 1000
  for (const one of entered) one?.leave()
  return Math.round((WRITERS * WRITES) / seconds)
}

async function write(ledger: Ledger | undefined, name: string): Promise<void> {
  await ledger?.run({ type: 'CreateCollection', id: randomUUID(), name }, editorOrigin)
}

/** Closes all that are open, and waits for that. */
async function closeAll(tenants: Tenants): Promise<void> {
  tenants.renew()
  await tenants.idle()
}
