import { pino } from 'pino'
import { createServer } from '../../../src/http/server.js'
import { STAND_IN } from '../../console/support/standIn.js'
import { fixed } from '../../support/entrance.js'
import { hubWithoutStores } from '../unasked.js'

export interface JoinServer {
  readonly port: number
  /** The first line and the headers of every request that came in. */
  readonly requests: readonly string[]
  /** Every line that was logged, from `trace` up. */
  readonly log: readonly string[]
  close(): Promise<void>
}

/** The hub's server with neither a database nor a throttle store: whatever asks for one fails the request. */
export async function startJoinServer(): Promise<JoinServer> {
  const [requests, log]: [string[], string[]] = [[], []]
  const logger = pino({ level: 'trace' }, { write: (line) => void log.push(line) })
  const app = createServer(fixed(hubWithoutStores), logger, { consoleDirectory: STAND_IN })
  app.server.on('request', ({ method, url, rawHeaders }) => requests.push(`${method} ${url} ${rawHeaders.join('|')}`))
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  return { port: Number(url.port), requests, log, close: () => app.close() }
}
