import { join } from 'node:path'
import type { ThrottleLimits } from '../../src/config/types.js'
import { fields, text } from '../http/client.js'
import { type Driver, sqlite } from '../http/drivers.js'
import { startHub, type TestHub } from '../http/support.js'
import { World } from '../http/world.js'
import { temporaryDirectory } from '../support/databases.js'
import { freePort } from '../support/private-server.js'

/** A hub that programs ask for tokens. */
export interface Setting {
  readonly hub: TestHub
  readonly world: World
  /** Sends a form, as programs do. */
  form(path: string, fields: Readonly<Record<string, string>>): Promise<OAuthReply>
  /** Asks for a code, of this program and for these scopes. */
  device(scope?: string, clientId?: string): Promise<Device>
  /** Asks for the token of a code. */
  poll(device: Device): Promise<OAuthReply>
  close(): Promise<void>
}

export interface OAuthReply {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

export interface Device {
  readonly deviceCode: string
  readonly userCode: string
  readonly clientId: string
}

export async function aHubThatIsAsked(
  more: object = {},
  limits: Partial<ThrottleLimits> = {},
  driver: Driver = sqlite,
  path = ''
): Promise<Setting> {
  const { path: folder } = await temporaryDirectory()
  const port = await freePort()
  const server = { host: '127.0.0.1', port: 1, publicUrl: `http://127.0.0.1:${port}${path}` }
  const authorization = { keyFile: join(folder, 'key') }
  const hub = await startHub(driver, { port, limits, config: { server, authorization, ...more } })
  const world = await World.of(hub)
  const form: Setting['form'] = async (to, sent) => {
    const reply = await fetch(hub.url + to, { method: 'POST', body: new URLSearchParams(sent) })
    return { status: reply.status, headers: reply.headers, body: fields(JSON.parse(await reply.text())) }
  }
  return {
    hub,
    world,
    form,
    async device(scope = 'read', clientId = 'terminal') {
      const { body } = await form('/oauth/device_authorization', { client_id: clientId, scope })
      return { deviceCode: text(body, 'device_code'), userCode: text(body, 'user_code'), clientId }
    },
    poll: ({ deviceCode, clientId }) =>
      form('/oauth/token', { grant_type: DEVICE_CODE, device_code: deviceCode, client_id: clientId }),
    close: () => hub.close()
  }
}

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
