import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import Database from 'libsql'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { startChores } from '../../cli/hub/scheduler.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openStorage } from '../../src/app/databases.js'
import { ITSELF } from '../../src/app/hub.js'
import { Lease } from '../../src/app/lease.js'
import { openLedger } from '../../src/app/openLedger.js'
import { parseConfig } from '../../src/config/load.js'
import type { DbConfig } from '../../src/config/types.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { ChoresDone, failingTasks, Tasks } from '../../src/ops/tasks.js'
import { counted } from '../../src/throttle/counted.js'
import { createMemoryThrottle } from '../../src/throttle/memory.js'
import {
  appendCheckpoint,
  checkpointsIn,
  readCheckpoint,
  signCheckpoint,
  signingKey
} from '../../src/trust/audit/checkpoint.js'
import { intrude } from '../audit/intruder.js'
import { memoryDatabase } from '../contract/databases.js'
import { temporaryDirectory } from '../support/databases.js'
import { fixed } from '../support/entrance.js'
import { heldNow } from '../support/memory.js'
import { suite } from '../support/suite.js'

const test = suite('what a running hub does from time to time')
const MINUTE_MS = 10
const DAY_MS = 86_400_000

/** A hub on a log in memory whose first event is two days old, and the lines that it logs. */
async function hub(audit: object, file?: DbConfig) {
  const directory = await temporaryDirectory()
  const text = JSON.stringify({
    server: { host: '127.0.0.1', port: 1 },
    db: file ?? { driver: 'sqlite', path: 'unused' },
    redis: { driver: 'memory' },
    audit: { checkpointKeyFile: join(directory.path, 'key.pem'), ...audit }
  })
  const { config } = parseConfig(text, 'server.yaml', directory.path, {})
  const storage = file ? await openStorage(file) : await (await memoryDatabase()).open(tables)
  await migrate(storage)
  let now = Date.now() - 2 * DAY_MS
  const ledger = await openLedger(
    storage,
    () => null,
    undefined,
    () => now
  )
  await ledger.run({ type: 'CreateSystemAccount' }, { ...systemOrigin, address: '192.0.2.1' })
  now = Date.now()
  const lines: Record<string, unknown>[] = []
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const throttle = counted(createMemoryThrottle())
  const live = fixed({
    config,
    tenant: ITSELF,
    ledger,
    throttle,
    llm: null,
    webhooks: null,
    signIn: null,
    authorization: null
  })
  return { live, logger, lines, storage, remove: directory.remove }
}

const until = async (holds: () => unknown) => {
  while (!(await holds())) await sleep(5)
}

test('a signed checkpoint goes to the log output as often as the configuration says', async () => {
  const { live, logger, lines, storage, remove } = await hub({ checkpointEveryMinutes: 2 })
  const done = new ChoresDone()
  const stop = startChores(live, logger, MINUTE_MS, done)
  await until(() => lines.length >= 2)
  await stop()
  const checkpoint = readCheckpoint(JSON.stringify(lines[0]?.checkpoint))
  const head = await storage.head()
  assert.equal([done.checkpoint?.position, done.verification], [head.position, null])
  assert.equal([checkpoint.position, checkpoint.chain], [head.position, head.chain])
  await remove()
})

test('a checkpoint goes to a file and to a witness too, and where the witness fails, the next one is sent all the same', async () => {
  const asked: { readonly body: string; readonly secret: string | undefined }[] = []
  const witness = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push({ body, secret: request.headers['x-secret']?.toString() })
      response.writeHead(asked.length === 1 ? 503 : 204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(witness, 'listening')
  const { port } = z.object({ port: z.number() }).parse(witness.address())
  const directory = await temporaryDirectory()
  const checkpointFile = join(directory.path, 'kept/checkpoints.ndjson')
  const { live, logger, lines, storage, remove } = await hub({
    checkpointEveryMinutes: 2,
    checkpointFile,
    witness: { url: `http://127.0.0.1:${port}/hub`, headers: { 'X-Secret': 'sesame' }, timeoutSeconds: 5 }
  })
  const stop = startChores(live, logger, MINUTE_MS)
  await until(() => asked.length >= 2)
  await stop()
  const { position, chain } = await storage.head()
  assert.is(statSync(checkpointFile).mode & 0o777, 0o600)
  const kept = await checkpointsIn(checkpointFile)
  assert.ok(kept.length >= 2)
  for (const one of kept) assert.equal(one, { position, chain })
  assert.equal([readCheckpoint(asked[1]?.body ?? '').chain, asked[1]?.secret], [chain, 'sesame'])
  const failures = lines.filter(({ level }) => level === 50)
  assert.is(failures.length, 1)
  assert.match(JSON.stringify(failures), /The witness answered 503/)
  assert.not.ok(JSON.stringify(lines).includes('sesame'))
  witness.close()
  await directory.remove()
  await remove()
})

test('a witness that does not answer is given up in its time, and one that cannot be reached too', async () => {
  let asked = 0
  const silent = createServer(() => void asked++).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = z.object({ port: z.number() }).parse(silent.address())
  const failure = async (told = () => {}) => {
    const witness = { url: `http://127.0.0.1:${port}/`, timeoutSeconds: 1 }
    const { live, logger, lines, remove } = await hub({ checkpointEveryMinutes: 2, witness })
    const stop = startChores(live, logger, MINUTE_MS)
    await until(() => {
      // Its time goes on, also where memory is tidied up meanwhile.
      heldNow()
      return lines.some(({ level }) => level === 50)
    })
    told()
    await stop()
    await remove()
    const { err } = lines.find(({ level }) => level === 50) ?? {}
    return inspect(err, { depth: 5 })
  }
  const gone = () => {
    silent.close()
    silent.closeAllConnections()
  }
  assert.match(await failure(gone), /aborted due to timeout/)
  assert.ok(asked > 0)
  assert.match(await failure(), /ECONNREFUSED/)
})

test('checkpoints go on while an erasure of another process is waited for, and none piles up', async () => {
  const { live, logger, lines, storage, remove } = await hub({ checkpointEveryMinutes: 2 })
  const stop = await storage.schema.exclusively(async () => {
    const stop = startChores(live, logger, MINUTE_MS)
    await until(() => lines.length >= 2)
    return stop
  }, 'erase')
  await stop()
  await remove()
})

test('a hub that stops does not wait for its turn to erase, and does not call that a failure', async () => {
  const { path } = await temporaryDirectory()
  const db = { driver: 'sqlite', path: join(path, 'hub.sqlite'), prefix: 'hub_' } as const
  const { live, logger, lines, storage } = await hub({ retentionDays: 1 }, db)
  const other = new Database(`${db.path}.hub_erase.lock`)
  other.exec('BEGIN EXCLUSIVE')
  const { exclusively } = storage.schema
  const waiting = new Promise<void>((resolve) => {
    const value: typeof exclusively = (...asked) => {
      resolve()
      return exclusively(...asked)
    }
    Object.defineProperty(storage.schema, 'exclusively', { value })
  })
  const stop = startChores(live, logger, MINUTE_MS)
  await waiting
  await stop()
  assert.equal(lines, [])
  other.close()
  await storage.close()
})

test('a hub that stops does not wait for a witness that does not answer, and does not call that a failure', async () => {
  let asked = 0
  const silent = createServer(() => void asked++).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = z.object({ port: z.number() }).parse(silent.address())
  const witness = { url: `http://127.0.0.1:${port}/`, timeoutSeconds: 60 }
  const { live, logger, lines, remove } = await hub({ checkpointEveryMinutes: 2, witness })
  const done = new ChoresDone()
  const stop = startChores(live, logger, MINUTE_MS, done)
  await until(() => asked > 0)
  await sleep(5 * MINUTE_MS)
  await stop()
  assert.equal([asked, lines.length, done.failing], [1, 1, {}])
  silent.close()
  silent.closeAllConnections()
  await remove()
})

test('what a process that was killed has left of a checkpoint does not spoil the file', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory.path, 'checkpoints.ndjson')
  const head = { position: 3, chain: 'a'.repeat(64), at: new Date().toISOString(), generation: 1 }
  const signed = signCheckpoint(head, signingKey(join(directory.path, 'key.pem')), head.at)
  await appendCheckpoint(file, signed)
  const whole = readFileSync(file, 'utf8')
  writeFileSync(file, whole + whole.slice(0, 40))
  await appendCheckpoint(file, signed)
  assert.is(readFileSync(file, 'utf8'), whole + whole)
  assert.is((await checkpointsIn(file)).length, 2)
  writeFileSync(file, whole.slice(0, 40))
  await appendCheckpoint(file, signed)
  assert.is(readFileSync(file, 'utf8'), whole)
  await directory.remove()
})

test('the log and the read tables are verified again and again, and what somebody has edited is told with its row', async () => {
  const directory = await temporaryDirectory()
  const db = { driver: 'sqlite', path: join(directory.path, 'hub.db'), prefix: 'hub_' } as const
  const { live, logger, lines, storage, remove } = await hub({ verifyEvery: 2 }, db)
  const done = new ChoresDone()
  const noted = (text: string) => until(() => done.verification?.text.startsWith(text))
  const stop = startChores(live, logger, MINUTE_MS, done)
  const holds = 'verified: the log and the read tables hold'
  await until(() => lines.some(({ msg }) => msg === holds))
  const { position, rows, seconds } = lines.find(({ msg }) => msg === holds) ?? {}
  assert.equal([position, rows], [1, 1])
  assert.ok(Number(seconds) > 0)
  await noted('The log and the read tables hold.')
  assert.equal([done.verification?.status, done.verification?.position], ['ok', 1])
  const intruder = await intrude(db)
  await intruder.run(`UPDATE hub_users_g1 SET role = 'user'`)
  await until(() => lines.some(({ msg }) => msg === 'a read table differs from the log'))
  await noted('Rows of the read tables that differ from the log: 1.')
  await intruder.run(`UPDATE hub_log SET payload = NULL WHERE position = 1`)
  await until(() => lines.some(({ msg }) => msg === 'the log is not as it was written'))
  await noted('Event 1 does not hold.')
  assert.is(done.verification?.status, 'failed')
  await intruder.close()
  await stop()
  const said = (msg: string) => lines.find((line) => line.msg === msg)
  const { table, kind, columns } = said('a read table differs from the log') ?? {}
  assert.equal([table, kind, columns], ['users', 'changed', ['role']])
  assert.is(said('the log is not as it was written')?.position, 1)
  await storage.close()
  await directory.remove()
  await remove()
})

test('what has expired is erased soon after the start', async () => {
  const { live, logger, storage, remove } = await hub({ retentionDays: 1 })
  const stop = startChores(live, logger, MINUTE_MS)
  await until(async () => (await storage.readLog(0, 1))[0]?.who.text === null)
  await stop()
  await remove()
})

test('what sessions that are over have left is forgotten, though providers are asked again of none any more', async () => {
  const { live, logger, storage, remove } = await hub({})
  await storage.state.put('sign-in-gone', JSON.stringify({ refreshToken: 'sealed' }), null)
  const stop = startChores(live, logger, MINUTE_MS)
  await until(async () => (await storage.state.list('sign-in-', '', 1)).length === 0)
  await stop()
  await remove()
})

test('a reload does not close the database under a task that works with it', async () => {
  const { live, logger, storage, remove } = await hub({ checkpointEveryMinutes: 1, retentionDays: 1 })
  let closed = 0
  const lease = new Lease({
    async close() {
      closed++
    }
  })
  let entered = 0
  const enter = () => {
    entered++
    lease.enter()
    return { hub: live.hub, leave: () => lease.leave(), hold: () => () => {} }
  }
  const head = storage.head
  const waiting: (() => void)[] = []
  const isWaiting = new Promise<void>((resolve) => {
    Object.assign(live.hub.ledger.storage, {
      async head() {
        await new Promise<void>((go) => {
          waiting.push(go)
          // Whoever looks whether the hub is superseded asks too, and holds nothing.
          if (entered > 0) resolve()
        })
        return head()
      }
    })
  })
  const stop = startChores({ ...live, enter }, logger, MINUTE_MS)
  await isWaiting
  const retired = lease.retire(1000, () => {})
  await sleep(5 * MINUTE_MS)
  assert.is(closed, 0)
  Object.assign(live.hub.ledger.storage, { head })
  for (const go of waiting) go()
  await stop()
  await retired
  assert.is(closed, 1)
  await remove()
})

test('what failed and is in the configuration no more is told of no more', async () => {
  const { live, logger, storage, remove } = await hub({})
  const done = new ChoresDone()
  const tasks = new Tasks(pino({ level: 'silent' }), done, () => storage.state)
  const regular = ['checkpoint', 'checkpoint file', 'witness', 'sign-ins', 'verification'] as const
  const gone = [...regular, 'tenants', 'upkeep of tenants'] as const
  for (const task of gone) await tasks.failed(task, new Error('It does not answer.'))
  assert.equal(Object.keys(await failingTasks(storage.state)).length, gone.length)
  const stop = startChores(live, logger, MINUTE_MS, done)
  await until(async () => Object.keys(await failingTasks(storage.state)).length === 0)
  await stop()
  assert.equal(done.failing, {})
  await remove()
})

test('without either in the configuration nothing is done', async () => {
  const { live, logger, lines, storage, remove } = await hub({})
  const stop = startChores(live, logger, MINUTE_MS)
  await sleep(20 * MINUTE_MS)
  await stop()
  assert.equal([lines.length, (await storage.head()).position], [0, 1])
  await remove()
})

test.run()
