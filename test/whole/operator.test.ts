import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { firstSecret, type Home, newHome, type Server } from '../cli/support.js'
import { installedPostgres, type PrivatePostgres } from '../support/postgres-service.js'
import { findBinary, freePort } from '../support/private-server.js'
import { servicesDemanded } from '../support/services.js'
import { suite } from '../support/suite.js'
import { postgresOverTls } from '../tls/server.js'
import { type TlsSetting, tlsSetting } from '../tls/setting.js'
import { type Call, caller, withId } from './client.js'
import { digests, foldersAt, ok } from './operator/checks.js'
import { installed } from './operator/installed.js'
import { pages, runPage } from './operator/pages.js'
import { writing } from './writing.js'

/** So many writes are acknowledged before the hub is killed. */
const WRITES = 1000
/** For a step that waits for several processes on a busy machine. */
const PATIENT = { timeout_ms: 120_000 }

const created = z.object({ user: z.object({ id: z.string() }), token: withId, secret: z.string() })
const examined = z.object({ checks: z.array(z.object({ name: z.string(), state: z.string() })) })

const test = suite('a new operator')
const program = await installed()
const hasTls =
  servicesDemanded ||
  ((await findBinary('postgres', await installedPostgres())) !== null && (await findBinary('openssl')) !== null)

/** What one step leaves to the next. */
interface Story {
  readonly home: Home
  readonly server: Server
  readonly call: Call
  readonly admin: string
  /** Of a user that the command line has made, with its token's id. */
  readonly bob: string
  readonly bobsToken: string
  /** Of a user that was made over HTTP. */
  readonly ada: string
  readonly collectionId: string
}

let hub = ''
let story: Story | undefined
let saved: { readonly file: string; readonly tables: unknown; readonly acknowledged: readonly string[] } | undefined
let database: { readonly postgres: PrivatePostgres; readonly setting: TlsSetting; readonly home: Home } | undefined
const homes: Home[] = []

/** What an earlier step was to leave. */
function left<T>(value: T | undefined, step: string): T {
  if (value === undefined) throw new Error(`The step "${step}" did not come to its end.`)
  return value
}

function say(text: string): void {
  process.stdout.write(`  ${text}\n`)
}

/** Plans a step, and prints how long it took. */
function step(name: string, body: () => Promise<void>): void {
  test(
    name,
    async () => {
      const started = performance.now()
      await body()
      say(`${((performance.now() - started) / 1000).toFixed(1)} s  ${name}`)
    },
    PATIENT
  )
}

/** A new, empty directory for the installed program, which listens on this port. */
async function directory(port: number, main: readonly string[] = [hub]): Promise<Home> {
  const home = await newHome(['env', `HUB_SERVER_PORT=${port}`, ...main])
  homes.push(home)
  return home
}

/** Every acknowledged write is there, and every token works. */
async function proveAll(call: Call): Promise<void> {
  const { admin, bob, ada, collectionId } = left(story, START)
  const { acknowledged } = left(saved, BACKUP)
  for (const token of [admin, bob, ada]) await call(token, 'GET', '/auth/session')
  const there = await foldersAt(call, bob, collectionId)
  assert.equal(
    acknowledged.filter((id) => !there.has(id)),
    [],
    'nothing that was acknowledged is missing'
  )
}

const START = 'starts in an empty directory and makes two users'
const BACKUP = 'backs up amid a thousand writes, kills the hub, and backs up what is left'
const MOVE = 'moves to a Postgres that takes TLS alone'

if ('missing' in program) {
  test.skip('installs from the packed tarball, and all that follows', program.missing)
} else {
  hub = program.hub
  step('runs what was installed from the packed tarball', async () => {
    assert.match(await ok(await directory(1), '--version'), /^\d+\.\d+\.\d+\n$/)
  })

  step(START, async () => {
    const port = await freePort()
    const home = await directory(port)
    const server = await home.start(['start', '--init'], 'First collection')
    const call = caller(`http://127.0.0.1:${port}`)
    const admin = firstSecret(server)
    const everything = ['--role', 'user', '--collection-access', '*', '--json']
    const bob = created.parse(JSON.parse(await ok(home, 'user', 'create', '--name', 'bob', ...everything)))
    const ada = created.parse(
      await call(admin, 'POST', '/admin/users', { name: 'ada', role: 'user', collectionAccess: ['*'] })
    )
    const { id } = withId.parse(await call(bob.secret, 'POST', '/collections', { name: 'Payments' }))
    const tokens = { admin, bob: bob.secret, bobsToken: bob.token.id, ada: ada.secret }
    story = { home, server, call, ...tokens, collectionId: id }
  })

  step(BACKUP, async () => {
    const { home, server, call, ada, collectionId } = left(story, START)
    const writers = writing(call, ada, collectionId, WRITES)
    await writers.until(WRITES / 10)
    const before = writers.acknowledged.length
    await ok(home, 'backup', 'create', 'amid.backup')
    assert.ok(writers.acknowledged.length > before, 'it was written to meanwhile')
    await ok(home, 'backup', 'verify', 'amid.backup')
    await writers.until(WRITES)
    await server.stop('SIGKILL')
    await writers.done
    await ok(home, 'backup', 'create', 'last.backup')
    await ok(home, 'backup', 'verify', 'last.backup')
    saved = {
      file: join(home.path, 'last.backup'),
      tables: await digests(home),
      acknowledged: writers.acknowledged
    }
    say(`${writers.acknowledged.length} writes were acknowledged`)
  })

  step('restores elsewhere: equal digests, every acknowledged write, every token', async () => {
    const port = await freePort()
    const home = await directory(port)
    const { file, tables } = left(saved, BACKUP)
    home.configure({ port })
    assert.match(await ok(home, 'backup', 'restore', file), 'have the digests of the hub that was backed up')
    assert.equal(await digests(home), tables)
    const server = await home.start()
    await proveAll(caller(`http://127.0.0.1:${port}`))
    assert.is((await server.stop()).code, 0)
  })

  const overTls = hasTls ? step : (name: string) => test.skip(name, 'no postgres or no openssl')
  overTls(MOVE, async () => {
    const [setting, port] = [await tlsSetting(), await freePort()]
    const postgres = await postgresOverTls(setting)
    const home = await directory(port)
    database = { postgres, setting, home }
    const { file, tables } = left(saved, BACKUP)
    const server = { driver: 'postgres', host: 'localhost', port: postgres.port, user: 'postgres', password: '' }
    const db = JSON.stringify({ ...server, database: 'postgres', tls: { ca: './ca.pem' } })
    writeFileSync(join(home.path, 'ca.pem'), setting.files['ca.pem'] ?? '')
    home.configure({ port, db })
    await ok(home, 'config', 'check')
    await ok(home, 'backup', 'restore', file)
    assert.equal(await digests(home), tables)
  })

  overTls('runs two processes on it: what one writes or revokes is in force at the other at once', async () => {
    const { home } = left(database, MOVE)
    const { bob, bobsToken, ada, collectionId } = left(story, START)
    const ports = [await freePort(), await freePort()] as const
    const processes = await Promise.all(
      ports.map((port) => newHome(['env', `HUB_SERVER_PORT=${port}`, hub, '-c', join(home.path, 'server.yaml')]))
    )
    homes.push(...processes)
    const servers = await Promise.all(processes.map((one) => one.start()))
    const [first, second] = [caller(`http://127.0.0.1:${ports[0]}`), caller(`http://127.0.0.1:${ports[1]}`)]
    await proveAll(first)
    await proveAll(second)
    for (const [writer, reader] of [
      [first, second],
      [second, first]
    ] as const) {
      const { id } = withId.parse(await writer(ada, 'POST', `/collections/${collectionId}/folders`, { name: 'New' }))
      assert.ok((await foldersAt(reader, ada, collectionId)).has(id))
    }
    await ok(home, 'user', 'token', 'revoke', bobsToken, '--yes')
    for (const call of [first, second]) {
      const refused = await call(bob, 'GET', '/auth/session').then(String, String)
      assert.match(refused, ': 401 ')
    }
    await digests(home)
    for (const server of servers) assert.is((await server.stop()).code, 0)
  })

  overTls('asks hub doctor: all is well, and with somebody else’s certificate it is not', async () => {
    const { home, setting } = left(database, MOVE)
    await ok(home, 'doctor', '--json')
    writeFileSync(join(home.path, 'ca.pem'), setting.stranger.ca ?? '')
    const { code, stdout } = await home.hub('doctor', '--json')
    assert.is(code, 1)
    const { checks } = examined.parse(JSON.parse(stdout))
    assert.is(checks.find(({ name }) => name === 'db')?.state, 'failed', stdout)
  })

  for (const page of pages()) {
    const { name, blocks } = page
    // The tour is what stands first there.
    const [tour = ''] = blocks
    const isReadme = name === 'README.md'
    step(`runs every command of ${name} as it stands there${isReadme ? ', the tour twice' : ''}`, async () => {
      await runPage(isReadme ? { ...page, blocks: [tour, ...blocks] } : page, program)
    })
  }
}

test.after(async () => {
  for (const home of homes) await home.remove()
  await database?.postgres.stop()
  if ('remove' in program) await program.remove()
})
test.run()
