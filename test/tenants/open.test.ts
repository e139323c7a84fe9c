import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { startChores } from '../../cli/hub/scheduler.js'
import { usersTable } from '../../commands/people/user/table.js'
import { tenantsTable } from '../../commands/tenants/tenant/table.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { Lease } from '../../src/app/lease.js'
import { ensureSystemAccount } from '../../src/app/start.js'
import { HubError } from '../../src/errors.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import { ChoresDone } from '../../src/ops/tasks.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { configOfTenant } from '../../src/tenants/config.js'
import { dayKey, eachTenant, onceADay } from '../../src/tenants/daily.js'
import { drawPlace, makeLog } from '../../src/tenants/setup.js'
import { type TenantLease, Tenants } from '../../src/tenants/tenants.js'
import { intrude } from '../audit/intruder.js'
import { sqlite } from '../http/drivers.js'
import { until } from '../http/support.js'
import { fixed } from '../support/entrance.js'
import { makeTenant, type Teams, teamsSuite } from './support.js'

const LOOK_EVERY_MS = 20
const MINUTE_MS = 60_000

let teams: Teams
let opened: Tenants[] = []
let made = 0
const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })

const test = teamsSuite('tenants that a process has open', sqlite, async (all) => {
  teams = all
  await makeTenant(all.hub, 'one')
  await makeTenant(all.hub, 'two')
})
test.after.each(async () => {
  await Promise.all(opened.map((tenants) => tenants.close()))
  opened = []
})

/** The tenants of the hub, as another process of it has them. */
function tenantsOf({ maxOpen = 10, closeAfter_ms = MINUTE_MS, audit = {} } = {}): Tenants {
  const { hub } = teams.hub
  const multitenancy = { ...hub.config.multitenancy, maxOpen, closeAfterMinutes: closeAfter_ms / MINUTE_MS }
  const itself = { ...hub, config: { ...hub.config, multitenancy, audit: { ...hub.config.audit, ...audit } } }
  const tenants = new Tenants({ enter: () => ({ hub: itself, leave: () => {} }) }, { clock: {}, log }, LOOK_EVERY_MS)
  opened.push(tenants)
  return tenants
}

async function entered(tenants: Tenants, id: string): Promise<TenantLease> {
  const lease = await tenants.enter(id)
  if (!lease) throw new Error(`There is no tenant ${id}`)
  return lease
}

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  return error instanceof HubError ? error.status : error
}

const newcomer = async () => {
  made++
  return { id: `new-${made}`, made: await makeTenant(teams.hub, `new-${made}`) }
}

const works = async ({ hub }: TenantLease) => {
  await hub.ledger.readModel.current()
  return (await hub.ledger.readModel.count(usersTable, 'byName', [])) > 0
}

test('requests that come together open a tenant once, and one that is nowhere opens nothing', async () => {
  const tenants = tenantsOf()
  assert.is(await tenants.enter('nobody'), null)
  assert.is(tenants.count, 0)
  const all = await Promise.all(Array.from({ length: 20 }, () => entered(tenants, 'one')))
  assert.is(new Set(all.map(({ hub }) => hub.ledger)).size, 1)
  assert.is(tenants.count, 1)
  for (const { leave } of all) leave()
})

test('one that nobody has asked for is closed, one in use is not, and the next request opens it again', async () => {
  const tenants = tenantsOf({ closeAfter_ms: 3 * LOOK_EVERY_MS })
  const [first, second] = [await entered(tenants, 'one'), await entered(tenants, 'two')]
  first.leave()
  await until(() => (tenants.count === 1 ? true : null))
  assert.is(first.retired.aborted, true)
  await sleep(5 * LOOK_EVERY_MS)
  assert.equal([tenants.count, second.retired.aborted], [1, false])
  second.leave()
  await until(() => (tenants.count === 0 ? true : null))
  const again = await entered(tenants, 'one')
  assert.is.not(again.hub.ledger, first.hub.ledger)
  assert.ok(await works(again))
  again.leave()
})

test('where checkpoints are signed, a tenant that nobody has open has one a day', async () => {
  const { id } = await newcomer()
  const signed: unknown[] = []
  const write = (line: string) => {
    const { msg, tenant } = JSON.parse(line)
    if (msg === 'checkpoint') signed.push(tenant)
  }
  const live = { ...fixed(teams.hub.hub), tenants: tenantsOf({ audit: { checkpointEveryMinutes: 525_600 } }) }
  const stop = startChores(live, pino({}, { write }), LOOK_EVERY_MS)
  await until(() => (signed.length > 0 ? signed : null))
  await stop()
  assert.ok(signed.includes(id))
})

test('a tenant that cannot be looked after is told of as a task that fails, and the others have their turn', async () => {
  const { made, id } = await newcomer()
  await teams.hub.run({ type: 'MoveTenant', id: made.recordId, from: made.at.place, database: null, place: 'nothing3' })
  const done = new ChoresDone()
  const failing = () => done.failing['upkeep of tenants']?.why ?? null
  const stop = startChores({ ...fixed(teams.hub.hub), tenants: tenantsOf() }, log, LOOK_EVERY_MS, done)
  assert.match(await until(failing), new RegExp(`^It failed for \\d+ of the tenants: .*${id}`))
  await stop()
})

test('tenants whose turn comes after a reload of the database are looked after by the hub that is there by then', async () => {
  const { id, made: own } = await newcomer()
  const key = dayKey({ id: own.recordId })
  const { hub } = teams.hub
  const { ledger } = hub
  const { state } = ledger.storage
  let isClosed = false
  const whileOpen = <T>(asked: () => Promise<T>) =>
    isClosed ? Promise.reject(new StorageUnavailable('It is closed.')) : asked()
  const closing: typeof state = {
    ...state,
    get: (...asked) => whileOpen(() => state.get(...asked)),
    put: (...asked) => whileOpen(() => state.put(...asked))
  }
  // With webhooks every tenant is visited at the start, before its turn.
  const config = { ...hub.config, webhooks: undefined }
  const before = { ...hub, config, ledger: { ...ledger, storage: { ...ledger.storage, state: closing } } }
  const lease = new Lease({
    async close() {
      isClosed = true
    }
  })
  const tenants = tenantsOf()
  let now: typeof hub = before
  const live = {
    get hub() {
      return now
    },
    enter() {
      if (now !== before) return fixed(now).enter()
      lease.enter()
      return { ...fixed(before).enter(), leave: () => lease.leave() }
    },
    tenants
  }
  const enter = tenants.enter.bind(tenants)
  tenants.enter = async (tenant) => {
    if (tenant === id) {
      now = hub
      await lease.retire(MINUTE_MS, () => {})
    }
    return enter(tenant)
  }
  const failed: unknown[] = []
  const write = (line: string) => {
    const { msg, tenant } = JSON.parse(line)
    if (msg === 'a regular task failed') failed.push(tenant)
  }
  const stop = startChores(live, pino({}, { write }), LOOK_EVERY_MS)
  const noted = async () => (await state.get(key))?.text ?? null
  const day = await until(async () => (failed.includes(id) ? 'none' : await noted()))
  await stop()
  assert.match(day, /^\d{4}-\d\d-\d\d$/)
})

test('a tenant that is called like one that was deleted has checkpoints of its own, which a move leaves where they are', async () => {
  const tenants = tenantsOf({ audit: { checkpointFile: '/var/checkpoints' } })
  const fileOf = async (id: string) => {
    const { hub, leave } = await entered(tenants, id)
    leave()
    return hub.config.audit.checkpointFile
  }
  const first = await makeTenant(teams.hub, 'again')
  const before = await fileOf('again')
  const at = { id: first.recordId, from: first.at.place }
  await teams.hub.run({ type: 'DeleteTenant', ...at })
  const { recordId: id, at: second } = await makeTenant(teams.hub, 'again')
  const after = await fileOf('again')
  assert.match(before ?? '', /^\/var\/checkpoints\.again-/)
  assert.is.not(after, before)
  const place = { database: null, place: first.at.place }
  await teams.hub.run({ type: 'MoveTenant', id, from: second.place, ...place })
  assert.is(await fileOf('again'), after)
})

test('a stream keeps its tenant open beyond its request', async () => {
  const tenants = tenantsOf({ closeAfter_ms: LOOK_EVERY_MS })
  const lease = await entered(tenants, 'one')
  const release = lease.hold()
  lease.leave()
  await sleep(5 * LOOK_EVERY_MS)
  assert.is(tenants.count, 1)
  assert.ok(await works(lease))
  release()
  await until(() => (tenants.count === 0 ? true : null))
})

test('where as many are open as may be, an unused one makes room, and 503 where all are in use', async () => {
  const tenants = tenantsOf({ maxOpen: 1 })
  const first = await entered(tenants, 'one')
  assert.is(await refusalOf(tenants.enter('two')), 503)
  assert.is(first.retired.aborted, false)
  first.leave()
  const second = await entered(tenants, 'two')
  assert.equal([tenants.count, first.retired.aborted], [1, true])
  assert.ok(await works(second))
  second.leave()
  const again = await entered(tenants, 'one')
  assert.ok(await works(again))
  again.leave()
})

test('whoever is let in is served, however often others take the room', async () => {
  const tenants = tenantsOf({ maxOpen: 1, closeAfter_ms: 1 })
  const outcomes = { served: 0, refused: 0 }
  const one = async (i: number) => {
    await sleep(i % 7)
    const lease = await tenants.enter(i % 2 === 0 ? 'one' : 'two').catch((error: unknown) => {
      if (!(error instanceof HubError) || error.status !== 503) throw error
      return null
    })
    if (!lease) return outcomes.refused++
    assert.ok(await works(lease))
    lease.leave()
    return outcomes.served++
  }
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 20 }, (_, i) => one(i + round)))
  assert.is(outcomes.served + outcomes.refused, 200)
  assert.ok(outcomes.served > 10, JSON.stringify(outcomes))
})

test('one that is deleted is told to whoever follows it, and is nowhere at once', async () => {
  const tenants = tenantsOf()
  const { id, made: own } = await newcomer()
  const lease = await entered(tenants, id)
  assert.is(await lease.isThere(), true)
  await teams.hub.run({ type: 'DeleteTenant', id: own.recordId })
  assert.is(await lease.isThere(), false)
  assert.is(await tenants.enter(id), null)
  await until(() => (lease.retired.aborted ? true : null))
  lease.leave()
})

test('one that is elsewhere is not served from where it was; where nothing is, it is refused and not made anew', async () => {
  const tenants = tenantsOf()
  const { id, made: own } = await newcomer()
  const before = await entered(tenants, id)
  await teams.hub.run({ type: 'MoveTenant', id: own.recordId, from: own.at.place, database: null, place: 'nothing0' })
  assert.is(await refusalOf(tenants.enter(id)), 503)
  assert.match(lines.join(), 'The database of this tenant has no hub in it')
  assert.equal([before.retired.aborted, tenants.count], [true, 0])
  before.leave()
})

test('who looks after all passes over one that cannot be opened, and tells of it', async () => {
  const tenants = tenantsOf()
  const { id, made: own } = await newcomer()
  await teams.hub.run({ type: 'MoveTenant', id: own.recordId, from: own.at.place, database: null, place: 'nothing1' })
  const seen: string[] = []
  const failed: string[] = []
  const look = async ({ tenant }: TenantLease['hub']) => void seen.push(tenant.id)
  const enter = tenants.enter.bind(tenants)
  let asked = 0
  tenants.enter = (tenant) => {
    if (tenant === id) asked++
    return enter(tenant)
  }
  await eachTenant(tenants, look, (_, row) => failed.push(row.tenant), new AbortController().signal, 1)
  assert.ok(failed.includes(id))
  assert.is(asked, 1, 'what somebody has to put right is not waited for')
  assert.equal([seen.includes('one'), seen.includes('two'), seen.includes(id)], [true, true, false])
})

test('who asked before the configuration changed gets a tenant that is opened under the new one', async () => {
  const { hub } = teams.hub
  const { readModel } = hub.ledger
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const slow = new Proxy(readModel, {
    get: (_, key) => (key === 'current' ? () => gate : Reflect.get(readModel, key).bind(readModel))
  })
  const before = { ...hub, ledger: { ...hub.ledger, readModel: slow } }
  const after = { ...hub, config: { ...hub.config, audit: { ...hub.config.audit, retentionDays: 7 } } }
  let now: typeof hub = before
  const tenants = new Tenants({ enter: () => ({ hub: now, leave: () => {} }) }, { clock: {}, log }, MINUTE_MS)
  opened.push(tenants)
  const asking = entered(tenants, 'one')
  now = after
  tenants.renew()
  goOn()
  const lease = await asking
  assert.is(lease.hub.config.audit.retentionDays, 7)
  lease.leave()
})

test('who looks at all that are open passes over one that fails or was closed meanwhile, and fails at the end', async () => {
  const tenants = tenantsOf()
  for (const id of ['one', 'two', (await newcomer()).id]) (await entered(tenants, id)).leave()
  const seen: string[] = []
  const looking = tenants.eachOpen(async ({ tenant }) => {
    seen.push(tenant.id)
    if (tenant.id === 'one') throw new Error('It does not answer.')
    if (tenant.id === 'two') {
      tenants.renew()
      await sleep(5)
    }
  })
  assert.is(await looking.catch(({ message }: Error) => message), 'It does not answer.')
  assert.equal(seen, ['one', 'two'])
})

test('a tenant is looked after once a day, and once more where that failed', async () => {
  const { hub } = teams.hub
  const row = { id: randomUUID() }
  const seen: string[] = []
  const look = (day: string, fails = false) =>
    onceADay(hub, row, day, async () => {
      seen.push(day)
      if (fails) throw new Error('It does not answer.')
    }).catch(() => {})
  await look('2026-01-31', true)
  for (const day of ['2026-01-31', '2026-01-31', '2026-02-01', '2026-02-01']) await look(day)
  assert.equal(seen, ['2026-01-31', '2026-01-31', '2026-02-01'])
})

test('the logs of tenants are verified behind that of the hub: what is wrong with one is told with its name', async () => {
  const { hub } = teams.hub
  const tenants = tenantsOf()
  const [edited, away] = [await newcomer(), await newcomer()]
  const { recordId: id, at } = away.made
  await teams.hub.run({ type: 'MoveTenant', id, from: at.place, database: null, place: 'nothing2' })
  const { db } = edited.made.config
  if (db.driver !== 'sqlite') throw new Error('It is in no file.')
  const intruder = await intrude(db)
  await intruder.run(`UPDATE hub_users_g1 SET role = 'user'`)
  await intruder.close()
  const told: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line) => void told.push(JSON.parse(line)) })
  const done = new ChoresDone()
  const config = { ...hub.config, audit: { ...hub.config.audit, verifyEvery: 2 } }
  const stop = startChores({ ...fixed({ ...hub, config }), tenants }, logger, LOOK_EVERY_MS, done)
  await until(() => done.verification)
  await stop()
  const of = (message: string) => told.filter(({ msg }) => msg === message).map(({ tenant }) => tenant)
  const holds = of('verified: the log and the read tables hold')
  assert.equal([holds[0], holds.includes('one'), holds.includes(edited.id)], [undefined, true, false])
  assert.ok(of('a read table differs from the log').includes(edited.id))
  assert.ok(of('the log of a tenant could not be verified').includes(away.id))
  assert.is(done.verification?.status, 'failed')
  assert.match(done.verification?.text ?? '', /^Tenant new-\d+: /)
  assert.is(done.failing.verification?.times, 1)
})

test('a tenant whose file is not there is not ready, and none is made in its place', async () => {
  const { id } = await newcomer()
  const tenants = tenantsOf()
  const { config, ledger } = teams.hub.hub
  const [row] = await ledger.readModel.list(tenantsTable, 'byTenant', [id])
  const { db } = row ? configOfTenant(config, row) : config
  if (db.driver !== 'sqlite') throw new Error('It is in no file.')
  rmSync(db.path)
  assert.is(await refusalOf(tenants.enter(id)), 503)
  assert.is(existsSync(db.path), false)
})

test('a tenant that was silent for years is written to: the log of the hub vouches for the clock', async () => {
  const { hub, run } = teams.hub
  const at = { tenant: 'silent', database: null, place: drawPlace() }
  const config = configOfTenant(hub.config, at)
  await makeLog(config)
  const ledger = await openReadyLedger(config, { now: () => Date.now() - 800 * 24 * 60 * MINUTE_MS })
  await ensureSystemAccount(ledger).finally(() => ledger.close())
  await run({ type: 'CreateTenant', id: 'silent', name: 'Silent', ...at })
  const one = await entered(tenantsOf(), 'silent')
  await one.hub.ledger.run({ type: 'CreateCollection', id: 'c', name: 'After all' }, editorOrigin)
  one.leave()
})

test.run()
