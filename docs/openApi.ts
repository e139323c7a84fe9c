import { pino } from 'pino'
import { type Hub, ITSELF } from '../src/app/hub.js'
import type { HubProvider } from '../src/app/live.js'
import { parseConfig } from '../src/config/load.js'
import { messages } from '../src/followers/webhooks/message.js'
import type { DescribedRoute } from '../src/http/openapi/description.js'
import { documentOf, type OpenApiDocument } from '../src/http/openapi/document.js'
import { createServer } from '../src/http/server.js'
import { VERSION } from '../src/lib/version.js'

const SECTIONS = {
  server: { host: '127.0.0.1', port: 1 },
  db: { driver: 'sqlite', path: 'nowhere.sqlite' },
  redis: { driver: 'memory' }
}

/** The description of the interface as a hub with the defaults of the configuration serves it. */
export async function openApi(): Promise<OpenApiDocument> {
  return documentOf(await servedRoutes(), messages, VERSION)
}

/** Every route of such a hub. */
export async function servedRoutes(): Promise<readonly DescribedRoute[]> {
  const app = createServer(unasked(), pino({ level: 'silent' }))
  await app.close()
  return app.declared.filter((route) => route.method !== 'HEAD')
}

/** A hub of which nothing but the configuration is there: no request is made of its server. */
function unasked(): HubProvider {
  const absent = (): never => {
    throw new Error('This hub is there to be described.')
  }
  const hub: Hub = {
    config: parseConfig(JSON.stringify(SECTIONS), 'docs', process.cwd(), {}).config,
    get ledger() {
      return absent()
    },
    tenant: ITSELF,
    llm: null,
    webhooks: null,
    signIn: null,
    authorization: null,
    get throttle() {
      return absent()
    }
  }
  return { hub, enter: absent, reload: absent, tenants: null }
}
