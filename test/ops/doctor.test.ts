import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'libsql'
import * as assert from 'uvu/assert'
import { listUsers } from '../../queries/users.js'
import { openStorage } from '../../src/app/databases.js'
import { loadConfig } from '../../src/config/load.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { timeText } from '../../src/lib/clock.js'
import { examine } from '../../src/ops/doctor.js'
import type { DoctorPorts } from '../../src/ops/doctorPorts.js'
import { type HostPorts, hostPorts } from '../../src/ops/host.js'
import { ChoresDone, Tasks } from '../../src/ops/tasks.js'
import { NotGranted, type PagedReads, WrongServer } from '../../src/storage/storage.js'
import { type Home, migratedHome } from '../cli/support.js'
import { fields } from '../http/client.js'
import { freePort } from '../support/private-server.js'
import { startS3 } from '../support/s3Server.js'
import { suite } from '../support/suite.js'
import { EXPIRY_MS, tlsServer } from './tlsServer.js'

const test = suite('hub doctor')
const DAY_MS = 86_400_000
let home: Home

test.before.each(async () => {
  home = await migratedHome()
  assert.is((await home.here('user', 'create', '--name', 'ada', '--role', 'user')).code, 0)
  chmodSync(join(home.path, 'server.yaml'), 0o600)
})

const DB = 'db: {driver: sqlite, path: data/hub.sqlite}'
const REDIS = 'redis: {driver: memory}'

function configure(...sections: readonly string[]): void {
  const text = ['server: {host: 127.0.0.1, port: 1}', ...sections].join('\n')
  writeFileSync(join(home.path, 'server.yaml'), text, { mode: 0o600 })
}

/** Changes the database behind the hub's back. */
function tamper(sql: string): void {
  const db = new Database(join(home.path, 'data', 'hub.sqlite'))
  db.exec(sql)
  db.close()
}

/** What the doctor finds that is not well, as `name state: text` with the advice behind it. */
async function found(over: Partial<DoctorPorts> = {}): Promise<readonly string[]> {
  const file = join(home.path, 'server.yaml')
  const ports: HostPorts = hostPorts(file, () => loadConfig(file, {}).config)
  try {
    const { checks } = await examine({ ...ports, ...over })
    return checks.flatMap(({ name, findings }) =>
      findings
        .filter(({ state }) => state === 'warning' || state === 'failed')
        .map(({ state, text, advice }) => `${name} ${state}: ${text} -> ${advice}`)
    )
  } finally {
    await ports.close()
  }
}

/** One fault is found, by this check, with a text and an advice like these. */
async function finds(expected: RegExp, over?: Partial<DoctorPorts>): Promise<void> {
  const faults = await found(over)
  assert.is(faults.length, 1, faults.join('\n'))
  assert.match(faults[0] ?? '', expected)
}

/** Every row of every table, and the mode of the file. */
function contents() {
  const path = join(home.path, 'data', 'hub.sqlite')
  const db = new Database(path)
  const rowsOf = (sql: string) => db.prepare(sql).all([])
  const tables = rowsOf(`SELECT name FROM sqlite_master WHERE type = 'table'`).map((row) => fields(row).name)
  const rows = tables.map((table) => [table, rowsOf(`SELECT * FROM ${table}`)])
  db.close()
  return { rows, mode: statSync(path).mode }
}

test('a hub that is well has no fault, and one whose file is open to others stays so', async () => {
  assert.equal(await found(), [])
  chmodSync(join(home.path, 'data', 'hub.sqlite'), 0o644)
  const before = contents()
  await finds(/^files warning: It holds what users wrote.* -> Run chmod 600 .*hub\.sqlite/)
  assert.equal(contents(), before)
})

test('1. a key of the configuration that is not right', async () => {
  configure(DB, REDIS, 'logging: {level: loud}')
  await finds(/^configuration failed: .*server\.yaml:4: logging\.level: Level must be .* -> Correct it there/)
})

test('2. a database that cannot be reached', async () => {
  const port = await freePort()
  configure(`db: {driver: postgres, host: 127.0.0.1, port: ${port}, user: u, password: '', database: d}`, REDIS)
  await finds(/^db failed: The database does not answer\. -> Nobody listens there/)
})

test('2a. a database file that is not there, which is not made', async () => {
  configure('db: {driver: sqlite, path: data/other.sqlite}', REDIS)
  await finds(/^db failed: /)
  assert.is(statSync(join(home.path, 'data', 'other.sqlite'), { throwIfNoEntry: false }), undefined)
})

test('2b. a database file that cannot be written, or whose folder cannot', async () => {
  for (const unwritable of ['hub.sqlite', 'data'])
    await finds(/^db failed: The database can be read, and its file cannot be written\. -> .*mounted read-only/, {
      isWritable: async (path) => !path.endsWith(unwritable)
    })
})

test('2b2. a file that is no database, or that lies where there is no folder', async () => {
  const other = join(home.path, 'data', 'other.sqlite')
  writeFileSync(other, 'no database '.repeat(1000), { mode: 0o600 })
  for (const [path, advice] of [
    ['data/other.sqlite', /^It is no database of SQLite/],
    ['data/other.sqlite/hub.sqlite', /^There is no such file/]
  ] as const) {
    configure(`db: {driver: sqlite, path: ${path}}`, REDIS)
    const { code, stdout, stderr } = await home.here('doctor')
    assert.equal([code, stderr], [1, 'Not well: db.\n'], stdout)
    const told = /^failed +db +The database does not answer\.\n.*\n +-> (.*)$/m.exec(stdout)?.[1]
    assert.match(told ?? '', advice)
  }
})

test('2b3. a file that the account which asks may not look at', async () => {
  const isOpenToOthers = () => {
    throw Object.assign(new Error('EACCES: permission denied, stat'), { code: 'EACCES' })
  }
  await finds(/^files failed: This account may not look at it\. -> Run this as the account of the hub/, {
    isOpenToOthers
  })
})

test('2c. a task of the hub that fails again and again, until it works', async () => {
  const { config } = loadConfig(join(home.path, 'server.yaml'), {})
  const storage = await openStorage(config.db)
  const lines: string[] = []
  const say = (details: object, message: string) => void lines.push(`${message} ${fields(details).times ?? ''}`)
  const done = new ChoresDone()
  const tasks = new Tasks({ error: say, warn: say }, done, () => storage.state)
  const fail = () => tasks.run('verification', () => Promise.reject(new Error('EACCES: hub.sqlite.hub_verify.lock')))
  await fail()
  assert.equal(await found(), [])
  await fail()
  await finds(/^tasks warning: This task has failed 2 times in a row, since 20.* -> See the log of the hub\..*chown/)
  // Another process, after a restart, to which it has never failed.
  await new Tasks({ error: say, warn: say }, new ChoresDone(), () => storage.state).run('verification', async () => {})
  assert.equal(await found(), [])
  await tasks.run('verification', async () => {})
  assert.equal(done.failing, {})
  assert.equal(lines, [
    'a regular task failed ',
    'a regular task fails again and again 2',
    'a regular task works again 2'
  ])
  await storage.close()
})

test('3. a schema that is behind', async () => {
  tamper('DELETE FROM hub_migrations WHERE number = (SELECT MAX(number) FROM hub_migrations)')
  await finds(/^schema failed: The database is not set up for this version\. -> Run `hub migrate`/)
})

test('4. an event that was tampered with', async () => {
  tamper(`UPDATE hub_log SET payload = replace(payload, 'ada', 'eve') WHERE payload LIKE '%ada%'`)
  await finds(/^chain failed: Event \d+ does not hold\. The payload is not .* -> Stop the hub.*hub audit verify/)
})

test('4a. a log whose end was cut off', async () => {
  tamper('DELETE FROM hub_log WHERE position = (SELECT MAX(position) FROM hub_log)')
  const faults = await found()
  assert.equal(
    faults.map((fault) => fault.split(' ')[0]),
    ['log', 'chain']
  )
})

test('5. a projector whose version is behind', async () => {
  tamper(`UPDATE hub_head SET written_under = json_set(written_under, '$.projections.users', 1)`)
  await finds(/^projections failed: .*users.* -> Run `hub migrate`/)
})

test('6. a throttle store that is down', async () => {
  configure(DB, `redis: {driver: redis, host: 127.0.0.1, port: ${await freePort()}}`)
  await finds(/^redis failed: The throttle store does not answer\. -> See that Redis runs/)
})

test('6a. a folder in which it cannot be kept how far the log has come', async () => {
  const unkept = /^redis warning: It cannot be kept how far the log has come, .* -> .*audit\.headDirectory/
  writeFileSync(join(home.path, 'file'), '')
  for (const headDirectory of ['file', 'file/known-heads']) {
    configure(DB, REDIS, `audit: {headDirectory: ${headDirectory}}`)
    await finds(unkept)
  }
  configure(DB, REDIS)
  await finds(unkept, { isWritable: async (path) => !path.includes('known-heads') })
  configure(DB, REDIS, 'audit: {headDirectory: not/there/yet}')
  assert.equal(await found(), [])
})

test('7. a clock that is behind the log, or far ahead of it', async () => {
  await finds(/^clock failed: The clock says .* before the last event .* -> Set the clock right/, {
    now: () => Date.now() - DAY_MS
  })
  await finds(/^clock failed: The clock says .* after the last event .* -> Set the clock right/, {
    now: () => Date.now() + 800 * DAY_MS
  })
})

test('8. a disk that is nearly full, and one that is full', async () => {
  const room = (free_bytes: number) => ({ room: async () => ({ free_bytes }) })
  await finds(/^disk warning: Only 1000 MB are free\. -> Make room/, room(1000 * 1024 ** 2))
  await finds(/^disk failed: Only 10 MB are free\. -> Make room/, room(10 * 1024 ** 2))
})

test('8a. a disk that databases of tenants alone are on', async () => {
  const databases = 'databases: {east: {driver: sqlite, path: east/hub.sqlite}}'
  const room = async (folder: string) => ({ free_bytes: folder.endsWith('data') ? 1024 ** 4 : 10 * 1024 ** 2 })
  const ofTenants = [
    'tenants: {acme: {db: {driver: sqlite, path: acme/hub.sqlite}}}',
    `multitenancy: {enabled: true, ${databases}}`
  ]
  configure(DB, REDIS, ...ofTenants)
  assert.equal(
    (await found({ room })).map((one) => one.replace(/ -> .*/, '')),
    Array(2).fill('tenant disks failed: Only 10 MB are free.')
  )
  configure(DB, REDIS, ...ofTenants.map((one) => one.replace('true', 'false')))
  assert.equal(await found({ room }), [])
})

test('9. a configuration file with secrets that others can read; without any it may be', async () => {
  const file = join(home.path, 'server.yaml')
  configure(DB, REDIS)
  chmodSync(file, 0o644)
  assert.equal(await found(), [])
  configure(DB, REDIS, 'metrics: {authToken: 0123456789abcdef}')
  await finds(/^files failed: It holds secrets.* -> Run chmod 600 .*server\.yaml/)
  const llm = 'llm: {providers: {openai: {apiKey: 0123456789abcdef}}}'
  configure(DB, REDIS, `tenants: {acme: {${llm}}}`)
  await finds(/^files failed: It holds secrets.* -> Run chmod 600 .*server\.yaml/)
})

test('9a. a key of sign-in or of programs that others can read', async () => {
  const provider = '{id: company, name: Company, issuer: "https://id.example.com", clientId: hub}'
  configure(DB, REDIS, `signIn: {keyFile: sign-in, providers: [${provider}]}`, 'authorization: {keyFile: programs}')
  for (const name of ['sign-in', 'programs']) writeFileSync(join(home.path, name), Buffer.alloc(32), { mode: 0o644 })
  const askSignInProvider = async () => ({ keys: 1, clock_ms: 0 })
  const open = (await found({ askSignInProvider })).filter((fault) => fault.startsWith('files '))
  assert.equal(
    open.map((fault) => fault.replace(/^.*chmod 600 .*\//, '')),
    ['sign-in', 'programs']
  )
})

test('9a2. a key of sign-in, of programs or of webhooks that holds none, or is no file', async () => {
  const provider = '{id: company, name: Company, issuer: "https://id.example.com", clientId: hub}'
  configure(
    DB,
    REDIS,
    `signIn: {keyFile: sign-in, providers: [${provider}]}`,
    'authorization: {keyFile: programs}',
    'webhooks: {keyFile: hooks}'
  )
  for (const name of ['sign-in', 'programs']) writeFileSync(join(home.path, name), 'key', { mode: 0o600 })
  mkdirSync(join(home.path, 'hooks'))
  const askSignInProvider = async () => ({ keys: 1, clock_ms: 0 })
  const unusable = (await found({ askSignInProvider })).filter((fault) => fault.startsWith('files '))
  const advice =
    '-> Put the key there, for the account of the hub to read, or name the file that has it in the configuration.'
  const file = (name: string) => join(home.path, name)
  assert.equal(unusable, [
    `files failed: The key of sign-ins ${file('sign-in')} must hold 32 bytes, and it holds 3. ${advice}`,
    `files failed: The key of programs that ask for tokens ${file('programs')} must hold 32 bytes, and it holds 3. ${advice}`,
    `files failed: The key of webhooks cannot be read: ${file('hooks')} (EISDIR) ${advice}`
  ])
})

test('9b. a file that the hub has to write, or a key that it has to make, and cannot', async () => {
  const files = ['logging: {file: server.yaml/log}', 'audit: {checkpointFile: server.yaml/points}']
  const keys = ['authorization: {keyFile: server.yaml/key}', 'webhooks: {keyFile: server.yaml/hooks}']
  configure(DB, REDIS, ...files, ...keys)
  const unwritable = (await found()).filter((fault) => fault.startsWith('files '))
  assert.equal(unwritable.length, 4, unwritable.join('\n'))
  for (const fault of unwritable)
    assert.match(fault, /^files warning: This account cannot write it\. -> Let the account/)
})

test('10. a provider that refuses the key', async () => {
  const provider = createServer(({ url, headers }, response) => {
    const isKnown = url === '/v1/models' && headers.authorization === 'Bearer sk-good'
    response.writeHead(isKnown ? 200 : 401).end('{}')
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  const llm = (key: string) => `llm: {providers: {openai: {apiKey: ${key}, baseUrl: 'http://127.0.0.1:${port}/v1'}}}`
  try {
    configure(DB, REDIS, llm('sk-good'))
    assert.equal(await found(), [])
    configure(DB, REDIS, llm('sk-spent'))
    await finds(
      /^providers failed: It refuses the key \(status 401\)\. -> Put a valid key into llm\.providers\.openai\.apiKey/
    )
  } finally {
    provider.close()
  }
})

test('11. a tool server that cannot be reached', async () => {
  const port = await freePort()
  const asked = { askProvider: async () => 200 }
  configure(
    DB,
    REDIS,
    `llm: {providers: {openai: {apiKey: k}}, mcp: [{name: tickets, url: 'http://127.0.0.1:${port}/mcp'}]}`
  )
  await finds(/^tool servers failed: It cannot be reached\. -> See that it runs/, asked)
})

test('12. an index file that is missing, or is none', async () => {
  const asked = { askProvider: async () => 200 }
  configure(DB, REDIS, 'llm: {providers: {openai: {apiKey: k}}}', 'docs: {searchIndexPath: data/index.json}')
  await finds(/^docs index failed: .* -> Write the index to .*index\.json again/, asked)
  mkdirSync(join(home.path, 'data'), { recursive: true })
  writeFileSync(join(home.path, 'data', 'index.json'), '{"half')
  await finds(/^docs index failed: .* -> Write the index to .*index\.json again/, asked)
})

test('13. a certificate that expires soon, or has', async () => {
  const server = await tlsServer()
  const tlsTargets = () => [{ what: 'db', host: '127.0.0.1', port: server.port, begins: 'at once' as const }]
  // The clock of the database is another check's.
  const storage = () => Promise.reject(new Error('not asked'))
  const seen = async (now_ms: number) => {
    const faults = await found({ tlsTargets, storage, now: () => now_ms })
    return faults.filter((fault) => fault.startsWith('tls'))
  }
  try {
    const advice = `-> Renew the certificate of 127.0.0.1:${server.port}.`
    assert.equal(await seen(EXPIRY_MS - 90 * DAY_MS), [])
    assert.equal(await seen(EXPIRY_MS - 10 * DAY_MS), [`tls warning: The certificate expires in 10 days. ${advice}`])
    assert.equal(await seen(EXPIRY_MS - 2 * DAY_MS), [`tls failed: The certificate expires in 2 days. ${advice}`])
    assert.equal(await seen(EXPIRY_MS - DAY_MS), [`tls failed: The certificate expires in 1 day. ${advice}`])
    assert.equal(await seen(EXPIRY_MS - 1), [`tls failed: The certificate expires in less than a day. ${advice}`])
    assert.equal(await seen(EXPIRY_MS + 1), [`tls failed: The certificate has expired. ${advice}`])
  } finally {
    await server.close()
  }
})

test('what ends soon is found among however many tokens, of which few are read at once', async () => {
  await home.withLedger(async (ledger) => {
    const userId = (await listUsers(ledger.readModel))[0]?.id ?? ''
    const make = (name: string, expiresAt: string | null) => {
      const { token } = issueToken({}, ledger.now(), { expiresAt })
      return ledger.run({ type: 'CreateToken', userId, name, ...token }, systemOrigin)
    }
    await make('report', timeText(ledger.now() + 2 * DAY_MS))
    await Promise.all(Array.from({ length: 1100 }, (_, i) => make(`n${i}`, null)))
    let most = 0
    const counted = <T extends readonly unknown[]>(rows: T) => {
      most = Math.max(most, rows.length)
      return rows
    }
    const few = (generation: number): PagedReads => {
      const read = ledger.storage.rows(generation)
      const list: PagedReads['list'] = async (...asked) => counted(await read.list(...asked))
      const listPart: PagedReads['listPart'] = async (...asked) => counted(await read.listPart(...asked))
      return { ...read, list, listPart }
    }
    await finds(/^tokens warning: The token "report" .* ends at /, {
      storage: async () => ({ ...ledger.storage, rows: few })
    })
    assert.ok(most < 1000, `${most} rows`)
  })
})

test('a webhook that the hub has switched off is found, one that somebody switched off is not, and a key that others can read', async () => {
  const keyFile = join(home.path, 'webhook-key')
  configure(DB, REDIS, `webhooks: {keyFile: ${keyFile}}`)
  assert.equal(await found(), [], 'nothing is made, and nothing is missed')
  const { webhook } = fields(await home.json('webhook', 'create', 'https://example.com/hook?token=abc'))
  const { id } = fields(webhook)
  assert.equal(await found(), [])
  const row = (set: string) => tamper(`UPDATE hub_webhooks_g1 SET ${set}`)
  row(`is_enabled = 0, disabled_reason = 'requested'`)
  assert.equal(await found(), [])
  row(`disabled_reason = 'failures'`)
  await finds(
    new RegExp(`^webhooks warning: The hub has switched it off \\(failures\\)\\. -> .*hub webhook enable ${id}`)
  )
  row(`is_enabled = 1, disabled_reason = NULL`)
  chmodSync(keyFile, 0o644)
  await finds(/^webhooks failed: The key of webhooks can be read by others\. -> Run chmod 600/)
})

test('a bucket that refuses the key, has another name, or is not there; and a key in a file that others read', async () => {
  const server = await startS3()
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = server.config
  const whole = { driver: 's3', endpoint, bucket, region, accessKeyId, secretAccessKey }
  const configured = (over: object = {}) => configure(DB, REDIS, `storage: ${JSON.stringify({ ...whole, ...over })}`)
  configured()
  assert.equal(await found(), [])
  configured({ secretAccessKey: 'another' })
  await finds(/^images failed: The object storage refuses what it is asked for\. -> See that storage has a valid/)
  configured({ bucket: 'another' })
  await finds(/^images failed: The object storage has no such bucket\. -> Make the bucket/)
  configured()
  chmodSync(join(home.path, 'server.yaml'), 0o644)
  await finds(/^files failed: It holds secrets/)
  chmodSync(join(home.path, 'server.yaml'), 0o600)
  await server.close()
  await finds(/^images failed: The object storage does not answer\. -> See that it runs/)
})

test('a server that must not be used is told by what it is, and what an account may not do as that', async () => {
  const throwing = (error: Error) => found({ storage: () => Promise.reject(error) })
  const [standby, ...others] = await throwing(new WrongServer('The server is a standby.'))
  assert.match(standby ?? '', /^db failed: The server is a standby\. -> Name every server .* in db\.hosts/)
  assert.equal(others, [])
  const [refused] = await throwing(new NotGranted())
  assert.match(refused ?? '', /^db failed: The account .* may not do this\..* -> Give the account what it lacks/)
})

test('a provider of sign-in without a key, clocks that are apart and a hub that does not say where it is are told', async () => {
  const provider = {
    id: 'company',
    name: 'Company',
    issuer: 'https://id.example.com',
    clientId: 'hub',
    clientSecret: 's'
  }
  const signIn = `signIn: ${JSON.stringify({ providers: [provider] })}`
  const ofSignIn = async (keys: number, clock_ms: number) =>
    (await found({ askSignInProvider: async () => ({ keys, clock_ms }) })).filter((one) => one.startsWith('sign-in '))
  const at = 'server: {host: 127.0.0.1, port: 1, publicUrl: "https://hub.example.com"}'
  writeFileSync(join(home.path, 'server.yaml'), [at, DB, REDIS, signIn].join('\n'), { mode: 0o600 })
  assert.match((await ofSignIn(0, 0)).join(), /^sign-in failed: It has no key that ID tokens could be signed with\./)
  for (const clock_ms of [30_000, -30_000])
    assert.match(
      (await ofSignIn(1, clock_ms)).join(),
      /^sign-in warning: Its clock and that of this machine are 30 seconds apart\. -> Keep both right by NTP\.$/
    )
  assert.equal(await ofSignIn(1, 19_000), [])
  configure(DB, REDIS, signIn)
  assert.match(
    (await ofSignIn(1, 0)).join(),
    /^sign-in failed: server\.publicUrl is not set, so providers lead browsers/
  )
})

test('the key of the chain that cannot be read is told by its file; one that is yet to be made is no fault', async () => {
  const key = join(home.path, 'seal-key')
  configure(DB, REDIS, `audit: {sealKeyFile: ${key}}`)
  assert.equal(await found(), [])
  assert.is((await home.here('audit', 'seal')).code, 0)
  assert.equal(await found(), [])
  rmSync(key)
  await finds(/chain failed: The chain's key cannot be read: .*seal-key \(ENOENT\) -> Put the key there/)
})

test.run()
