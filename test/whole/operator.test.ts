import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { firstSecret, type Home, newHome, type Server } from '../cli/support.js'
import { isFull } from '../support/full.js'
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
const WRITES = isFull ? 1000 : 200

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

let story: Story | undefined
let saved: { readonly file: string; readonly tables: unknown; readonly acknowledged: readonly string[] } | undefined
let database: { readonly postgres: PrivatePostgres; readonly setting: TlsSetting; readonly home: Home } | undefined
/** Empty directories for the program, each with the port that it listens on: what a step leaves in one is there for the next. */
const directories: { readonly port: number; readonly home: Home }[] = []

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
  test(name, async () => {
    const started = performance.now()
    await body()
    say(`${((performance.now() - started) / 1000).toFixed(1)} s  ${name}`)
  })
}

/** The next directory that nobody has used. */
function directory() {
  return left(directories.shift(), 'that makes directories')
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
const BACKUP = `backs up amid ${WRITES} writes, kills the hub, and backs up what is left`
const MOVE = 'moves to a Postgres that takes TLS alone'

if ('missing' in program) {
  test.skip('installs from the packed tarball, and all that follows', program.missing)
} else {
  const made = async (...options: readonly string[]) => {
    const port = await freePort()
    return { port, home: await newHome(['env', `HUB_SERVER_PORT=${port}`, program.hub, ...options]) }
  }
  test.before(async () => {
    directories.push(await made(), await made(), await made())
    const shared = ['-c', join(directories[2]?.home.path ?? '', 'server.yaml')]
    directories.push(await made(...shared), await made(...shared))
  })

  step('runs what was installed from the packed tarball', async () => {
    assert.match(await ok(left(directories[0], 'that makes directories').home, '--version'), /^\d+\.\d+\.\d+\n$/)
  })

  step(START, async () => {
    const { port, home } = directory()
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
    const { port, home } = directory()
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
    const { port, home } = directory()
    const setting = await tlsSetting()
    const postgres = await postgresOverTls(setting)
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
    const processes = [directory(), directory()] as const
    const servers = await Promise.all(processes.map((one) => one.home.start()))
    const [first, second] = [
      caller(`http://127.0.0.1:${processes[0].port}`),
      caller(`http://127.0.0.1:${processes[1].port}`)
    ]
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
    step(`runs every command of ${page.name} as it stands there`, () => runPage(page, program))
  }
}

test.after(async () => {
  await database?.postgres.stop()
  if ('remove' in program) await program.remove()
})
test.run()
