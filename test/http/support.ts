import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import type { Command } from '../../commands/index.js'
import { emitToken } from '../../commands/people/token/events.js'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { migrate } from '../../migrations/migrate.js'
import { openStorage } from '../../src/app/databases.js'
import type { Hub } from '../../src/app/hub.js'
import { LiveHub } from '../../src/app/live.js'
import { type LoadedConfig, parseConfig } from '../../src/config/load.js'
import type { HubConfig, ThrottleLimits } from '../../src/config/types.js'
import type { DeclaredRoute } from '../../src/http/bodies.js'
import type { LoadGuard } from '../../src/http/load.js'
import { createServer, type ServerOptions } from '../../src/http/server.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { drawSecret } from '../../src/ledger/secrets.js'
import type { Tenants } from '../../src/tenants/tenants.js'
import { STAND_IN } from '../console/support/standIn.js'
import { commitEvent } from '../support/commit.js'
import { type Call, connectClient, type Fields, fields, type Reply } from './client.js'
import { described } from './described.js'
import type { Driver, Place } from './drivers.js'
import { routesOf } from './routes.js'

/** An account with a token of its own. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly tokenId: string
  readonly token: string
}

export interface TestHub {
  readonly hub: Hub
  readonly place: Place
  readonly admin: Account
  readonly url: string
  /** Sends a request, and checks the answer against what its route says of itself. */
  readonly send: (call: Call) => Promise<Reply>
  /** Runs a command as the command line does: on behalf of the system account. */
  readonly run: (command: Command) => Promise<void>
  /** Rewrites the sections beside `server`, `db` and `redis` in the file that a reload reads; null breaks the file. */
  readonly reconfigure: (sections: HubOptions['config'] | null) => void
  /** Gives the system account a token, which no command does, and returns the token's id. */
  readonly systemToken: () => Promise<string>
  /** Routes that the server has, as `GET /path/:id`. Fastify builds a second router to tell them, so only who asks waits for it. */
  readonly routes: () => readonly string[]
  /** The same with what each takes. */
  readonly declared: readonly DeclaredRoute[]
  /** Every line of the log, from `debug` up. */
  readonly log: readonly Fields[]
  /** Null unless the configuration has tenants. */
  readonly tenants: Tenants | null
  /** Ends it, and leaves its database. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** By default nothing says that the process is overloaded, since the tests' clients are in it, and the console is a stand-in. */
export interface HubOptions extends ServerOptions {
  readonly limits?: Partial<ThrottleLimits>
  /** Sections of the configuration as the file would have them, over what the driver says. */
  readonly config?: Readonly<Record<string, unknown>>
  /** The clock of its log. */
  readonly now?: () => number
  /** By default one that is free. */
  readonly port?: number
}

/** The key that webhooks are signed with: one for the process. */
const keyFile = join(mkdtempSync(join(tmpdir(), 'hub-test-key-')), 'webhook-key')
/** Where hubs without Redis keep how far their logs have come. */
const headDirectory = join(dirname(keyFile), 'known-heads')
process.once('exit', () => rmSync(dirname(keyFile), { recursive: true, force: true }))

// Most tests fail to authenticate from one and the same address; those about throttling say so.
const LIMITS: ThrottleLimits = {
  maxFailures: 1_000_000,
  windowSeconds: 900,
  blockSeconds: 900,
  maxFailuresPerAddress: 1_000_000
}

/** A hub on a database of its own, migrated and with an administrator, listening on a port of the loopback address. */
export async function startHub(driver: Driver, options: HubOptions = {}): Promise<TestHub> {
  const place = await openPlace(driver, options)
  let file = fileOf(place, options.config)
  try {
    await prepare(configOf(place, options.config))
    const kept = keptLog()
    const load = () => parseConfig(file, 'server.yaml', process.cwd(), {})
    const hub = await serve(await open(load, kept.logger, options), kept, place, options)
    const reconfigure: TestHub['reconfigure'] = (sections) => {
      file = sections ? fileOf(place, sections) : 'server: {'
    }
    return { ...hub, reconfigure }
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** An empty database for a hub. */
export function openPlace(driver: Driver, { limits }: HubOptions): Promise<Place> {
  return driver.open('http', { ...LIMITS, ...limits })
}

/** The configuration as the hub would read it from a file, with every default. */
export function configOf(place: Place, sections?: HubOptions['config']): HubConfig {
  return parseConfig(fileOf(place, sections), 'server.yaml', process.cwd(), {}).config
}

/** The text of a configuration file: JSON, which is YAML too. */
function fileOf({ db, redis }: Place, { audit, ...sections }: HubOptions['config'] = {}): string {
  const server = { host: '127.0.0.1', port: 1 }
  const own = { webhooks: { keyFile }, audit: { headDirectory, ...Object(audit) } }
  return JSON.stringify({ server, db, redis, ...own, ...sections })
}

/** Another hub on the database of one that is there, or that has been stopped. */
export async function startBeside(
  { place }: Pick<TestHub, 'place'>,
  options: HubOptions = {}
): Promise<Pick<TestHub, 'hub' | 'url' | 'send' | 'run' | 'log' | 'tenants' | 'close'>> {
  const load = () => parseConfig(fileOf(place, options.config), 'server.yaml', process.cwd(), {})
  const { log, logger } = keptLog()
  const live = await open(load, logger, options)
  const { url, send, close } = await listen(live, logger, options)
  return { hub: live.hub, url, send, run: runOn(live.hub), log, tenants: live.tenants, close }
}

function open(load: () => LoadedConfig, logger: Logger, { now }: HubOptions): Promise<LiveHub> {
  return LiveHub.open(load, () => logger, { ...(now && { now }) })
}

function keptLog() {
  const log: Fields[] = []
  return { log, logger: pino({ level: 'debug' }, { write: (line) => void log.push(fields(JSON.parse(line))) }) }
}

/** Runs commands as the command line does. */
export function runOn({ ledger }: Pick<Hub, 'ledger'>): TestHub['run'] {
  return async (command) => void (await ledger.run(command, systemOrigin))
}

async function prepare(config: HubConfig): Promise<void> {
  const storage = await openStorage(config.db)
  try {
    await migrate(storage)
  } finally {
    await storage.close()
  }
}

async function serve(
  live: LiveHub,
  { log, logger }: ReturnType<typeof keptLog>,
  place: Place,
  options: HubOptions
): Promise<Omit<TestHub, 'reconfigure'>> {
  const { hub } = live
  const run = runOn(hub)
  await run({ type: 'CreateSystemAccount' })
  const admin = await administrator(run)
  const { close, ...server } = await listen(live, logger, options)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= close()
    return stopped
  }
  return {
    hub,
    place,
    admin,
    ...server,
    run,
    systemToken: () => systemToken(hub),
    log,
    tenants: live.tenants,
    stop,
    async close() {
      await stop()
      await place.remove()
    }
  }
}

const neverOverloaded: LoadGuard = { isOverloaded: false, stop() {} }

async function listen(
  live: LiveHub,
  logger: Logger,
  { guard = neverOverloaded, consoleDirectory = STAND_IN, port: wanted = 0 }: HubOptions
): Promise<Pick<TestHub, 'url' | 'send' | 'routes' | 'declared' | 'close'>> {
  const app = createServer(live, logger, { guard, consoleDirectory })
  await app.listen({ host: '127.0.0.1', port: wanted })
  const port = portOf(app.server.address())
  const client = connectClient(port)
  const check = described(app.declared)
  return {
    url: `http://127.0.0.1:${port}`,
    async send(call) {
      const reply = await client.send(call)
      check(call, reply)
      return reply
    },
    routes: () => routesOf(app.printRoutes({ commonPrefix: false })),
    declared: app.declared,
    async close() {
      client.close()
      const closed = app.close()
      // A connection that a test has kept open would be waited for until it times out.
      app.server.closeAllConnections()
      await closed
      await live.close()
    }
  }
}

/** Makes an administrator as the command line does. */
export async function administrator(run: TestHub['run'], name = 'Administrator'): Promise<Account> {
  const { secret, ...token } = drawSecret('hbk_')
  const admin = { id: randomUUID(), name, tokenId: randomUUID(), token: secret }
  const account = { name: admin.name, role: 'admin', llmAccess: false, llmMonthlyTokenLimit: null } as const
  const nothing = {
    collectionAccess: [],
    environmentAccess: [],
    snippetAccess: [],
    liveServerAccess: [],
    livePageAccess: [],
    llmModels: []
  }
  await run({
    type: 'CreateUser',
    id: admin.id,
    account: { ...account, ...nothing },
    token: { tokenId: admin.tokenId, ...token }
  })
  return admin
}

async function systemToken({ ledger }: Hub): Promise<string> {
  const { prefix, hash } = drawSecret('hbk_')
  const subject = randomUUID()
  const data = { userId: SYSTEM_ID, name: 'left over', prefix, hash, agentWrites: false, expiresAt: null, scopes: null }
  await commitEvent(ledger.storage, emitToken(subject, 'TokenCreated', data))
  await ledger.readModel.current()
  return subject
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  return address.port
}

/** What `find` finds, once it does. The test's own time limit ends the wait. */
export async function until<T>(find: () => T | null | Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== null) return found
    await sleep(10)
  }
}
