import type { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { exposedKeys } from '../src/audit/sealKey.js'
import { steadyClock } from '../src/clock.js'
import type { LoadedConfig } from '../src/config/load.js'
import type { HubConfig, ServerConfig } from '../src/config/types.js'
import { keepHeapSmall } from '../src/heap.js'
import { createServer } from '../src/http/server.js'
import { LiveHub } from '../src/live.js'
import { createLogger } from '../src/logging.js'
import type { Superseded } from '../src/release.js'
import { serverUrl } from '../src/serverUrl.js'
import { ensureSystemAccount } from '../src/start.js'
import { startChores } from './chores.js'
import { drain } from './drain.js'
import { CliError } from './errors.js'

/** Whoever asks a hub that another release has superseded is told so for this long. */
const TELLING_MS = 2000

/** A hub that answers at `url`, an address that works on this machine. */
export interface Serving {
  readonly live: LiveHub
  readonly url: string
  /** Resolves when another release of the hub has taken the database over, and whoever asked was told so for a moment. */
  readonly superseded: Promise<Superseded>
  /** Stops listening, finishes the requests in flight and closes the hub; once, however often it is called. */
  close(): Promise<void>
}

/**
 * Opens the hub of a configuration and listens. Throws what an operator has to do first; then nothing is left open.
 * `acceptClock` says that the clock is right, however long the log was silent.
 */
export async function serve(load: () => LoadedConfig, terminal: Writable, acceptClock: boolean): Promise<Serving> {
  keepHeapSmall()
  let logger: Logger | undefined
  const loggerOf = ({ logging }: HubConfig) => {
    logger ??= createLogger(logging, terminal)
    return logger
  }
  const notice = (text: string) => logger?.error(text)
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
    const { host, port } = config.server
    // The framework would log each address it binds; the line for people is the caller's.
    logger.level = 'warn'
    await app.listen({ host, port })
    logger.level = config.logging.level
    let closed: Promise<void> | undefined
    const stopChores = startChores(live, logger)
    const close = () => {
      closed ??= drain(app)
        .finally(stopChores)
        .finally(() => live.close())
      return closed
    }
    return { live, url: serverUrl(config.server), superseded, close }
  } catch (error) {
    await live.close()
    throw refusal(error, config.server)
  }
}

function refusal(error: unknown, { host, port }: ServerConfig): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
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
