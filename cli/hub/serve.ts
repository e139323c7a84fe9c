import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { accountOf } from '../../queries/callers.js'
import { grantWarnings, listUsers } from '../../queries/users.js'
import { LiveHub } from '../../src/app/live.js'
import { ensureSystemAccount } from '../../src/app/start.js'
import type { LoadedConfig } from '../../src/config/load.js'
import type { HubConfig, ServerConfig } from '../../src/config/types.js'
import { WebhookDispatcher } from '../../src/followers/webhooks/dispatcher.js'
import { createServer } from '../../src/http/server.js'
import type { Superseded } from '../../src/ledger/release.js'
import { steadyClock } from '../../src/lib/clock.js'
import { keepHeapSmall } from '../../src/lib/heap.js'
import { VERSION } from '../../src/lib/version.js'
import { LIMITS } from '../../src/limits.js'
import { modelWarnings, offeredIds } from '../../src/llm/catalog.js'
import { createLogger, type Logs } from '../../src/logging/logging.js'
import { serverUrl } from '../../src/net/serverUrl.js'
import { areMetricsOpen } from '../../src/ops/metricsAccess.js'
import { unkeptHeads } from '../../src/ops/probes.js'
import { isWritable } from '../../src/ops/probing.js'
import { exposedKeys } from '../../src/trust/audit/sealKey.js'
import { CliError } from '../lib/errors.js'
import { startChores } from './scheduler.js'

/** Whoever asks a hub that another release has superseded is told so for this long. */
const TELLING_MS = 2000

/** A hub that answers at `url`, an address that works on this machine. */
export interface Serving {
  readonly live: LiveHub
  readonly url: string
  /** Resolves with why when it cannot go on, as where another release has taken the database over; who asked was told so for a moment. */
  readonly over: Promise<Error>
  /** Goes on in a new log file where the one before was moved away. */
  reopenLog(): void
  /** Says so at `/readyz` for as long as is configured, stops listening, finishes the requests in flight and closes the hub; once, however often it is called. */
  close(): Promise<void>
}

export interface ServeOptions {
  /** Reads the configuration: first at once, then for each reload. */
  readonly load: () => LoadedConfig
  /** Where the log goes, where it goes to the console. */
  readonly terminal: Writable
  /** True where the clock is right, however long the log was silent. */
  readonly acceptClock: boolean
}

/** Opens the hub of a configuration and listens. Throws what an operator has to do first; then nothing is left open. */
export async function serve({ load, terminal, acceptClock }: ServeOptions): Promise<Serving> {
  keepHeapSmall()
  let logs: Logs | undefined
  const loggerOf = ({ logging }: HubConfig) => {
    logs ??= createLogger(logging, terminal)
    return logs.logger
  }
  const notice = (text: string) => logs?.logger.error(text)
  let end: (superseded: Superseded) => void = () => {}
  const superseded = new Promise<Superseded>((resolve) => {
    end = resolve
  })
  const tell = (error: Superseded) => {
    notice(error.message)
    setTimeout(() => end(error), TELLING_MS)
  }
  const live = await LiveHub.open(load, loggerOf, { now: steadyClock(notice), notice, acceptClock, superseded: tell })
  const { config, ledger } = live.hub
  try {
    const logger = loggerOf(config)
    await ensureSystemAccount(ledger)
    const app = createServer(live, logger)
    for (const file of exposedKeys(config.audit)) logger.warn({ file }, 'the key of the chain can be read by others')
    if (areMetricsOpen(config))
      logger.warn({ path: config.metrics.path }, 'metrics can be read by everybody who reaches the hub')
    const unkept = await unkeptHeads(config, isWritable)
    if (unkept) logger.warn({ directory: unkept.subject }, `${unkept.text} ${unkept.advice}`)
    const accounts = (await listUsers(ledger.readModel)).map(accountOf)
    for (const warning of [...modelWarnings(config), ...grantWarnings(accounts, offeredIds(config))])
      logger.warn(warning)
    const { drainSeconds } = config.server
    // The framework would log each address it binds; the line for people is the caller's.
    logger.level = 'warn'
    await listen(app, config.server)
    logger.level = config.logging.level
    logger.info({ url: serverUrl(config.server), version: VERSION }, 'started')
    let closed: Promise<void> | undefined
    const stopChores = startChores(live, logger, undefined, app.choresDone)
    const dispatcher = new WebhookDispatcher(live, logger)
    const close = () => {
      if (!closed) logger.info('stopping')
      closed ??= Promise.all([drain(app, drainSeconds), dispatcher.stop()])
        .finally(stopChores)
        .finally(() => live.close())
        .then(() => logger.info('stopped'))
      return closed
    }
    const reopenLog = () => logs?.reopen()
    return { live, url: serverUrl(config.server), over: superseded, reopenLog, close }
  } catch (error) {
    await live.close()
    throw error
  }
}

/** Throws what an operator has to change; then nothing listens. */
async function listen(app: FastifyInstance, server: ServerConfig): Promise<void> {
  const { host, port } = server
  try {
    await app.listen({ host, port })
  } catch (error) {
    await app.close()
    throw refusal(error, server)
  }
}

function refusal(error: unknown, { host, port }: ServerConfig): unknown {
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'EADDRINUSE':
      return new CliError(`Port ${port} on ${host} is already in use. Stop what listens there, or change server.port.`)
    case 'EACCES':
      return new CliError(`Port ${port} on ${host} needs privileges. Choose a server.port above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CliError(`This machine has no address ${host}. Change server.host.`)
    default:
      return error
  }
}

const SWEEP_INTERVAL_MS = 50

/**
 * Closes a server: it says that it is not ready, for so many seconds, in which it serves as before; then it stops accepting, drops the connections that carry no request, and lets requests in flight finish. One
 * that has not come whole within `LIMITS.stopGrace` is dropped too.
 */
export async function drain(app: FastifyInstance, seconds = 0): Promise<void> {
  app.readiness.stop()
  if (seconds > 0) await sleep(seconds * 1000)
  const until_ms = performance.now() + LIMITS.stopGrace.max
  const sweep = setInterval(() => {
    // While it still accepts, it would have to be done again.
    if (app.server.listening) return
    // A connection becomes idle only when its last answer is out, and one that never asked never counts as idle.
    app.server.closeIdleConnections()
    app.connections.closeSilent()
    if (performance.now() > until_ms) app.connections.closeUnfinished()
  }, SWEEP_INTERVAL_MS)
  await app.close().finally(() => clearInterval(sweep))
}
