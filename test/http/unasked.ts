import { pino } from 'pino'
import { type Hub, ITSELF } from '../../src/app/hub.js'
import { parseConfig } from '../../src/config/load.js'
import type { DeclaredRoute } from '../../src/http/bodies.js'
import { createServer } from '../../src/http/server.js'
import { STAND_IN } from '../console/support/standIn.js'
import { fixed } from '../support/entrance.js'

const SECTIONS = {
  server: { host: '127.0.0.1', port: 1 },
  db: { driver: 'sqlite', path: 'nowhere.sqlite' },
  redis: { driver: 'memory' }
}

/** A hub with neither a database nor a throttle store: whatever asks for one fails. */
export const hubWithoutStores: Hub = {
  config: parseConfig(JSON.stringify(SECTIONS), 'test', process.cwd(), {}).config,
  get ledger(): never {
    throw new Error('There is no database')
  },
  tenant: ITSELF,
  llm: null,
  webhooks: null,
  signIn: null,
  authorization: null,
  get throttle(): never {
    throw new Error('There is no throttle store')
  }
}

/** Every route of a hub as it declares itself, without HEAD, which comes with each GET. */
export async function declaredRoutes(): Promise<readonly DeclaredRoute[]> {
  const app = createServer(fixed(hubWithoutStores), pino({ level: 'silent' }), { consoleDirectory: STAND_IN })
  try {
    return app.declared.filter(({ method }) => method !== 'HEAD')
  } finally {
    await app.close()
  }
}
