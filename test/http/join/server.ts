import { pino } from 'pino'
import { type Hub, ITSELF } from '../../../src/app/hub.js'
import { parseConfig } from '../../../src/config/load.js'
import { createServer } from '../../../src/http/server.js'
import { STAND_IN } from '../../console/support/standIn.js'
import { fixed } from '../../support/entrance.js'

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

const SECTIONS = {
  server: { host: '127.0.0.1', port: 1 },
  db: { driver: 'sqlite', path: 'nowhere.sqlite' },
  redis: { driver: 'memory' }
}

const hubWithoutStores: Hub = {
  config: parseConfig(JSON.stringify(SECTIONS), 'test', process.cwd(), {}).config,
  get ledger(): never {
    throw new Error('There is no database')
  },
  tenant: ITSELF,
  llm: null,
  webhooks: null,
  get throttle(): never {
    throw new Error('There is no throttle store')
  }
}
