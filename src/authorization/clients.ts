import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { LIMITS } from '../limits.js'

/** The program of who has registered none: one at a terminal, which asks by codes alone. */
export const TERMINAL = 'terminal'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const registered = z.object({
  client_name: z.string().max(LIMITS.label.max).optional(),
  redirect_uris: z.array(z.string()).optional()
})
type Registered = Readonly<z.infer<typeof registered>>

const PREFIX = 'hbc_'

/**
 * Programs by ids that say what was registered, signed: nothing is kept of them, however many register. `key` is the same at all hubs of
 * a database.
 */
export function clientIds(key: Buffer) {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    /** What it is to the server that is registered so, but for its id. */
    metadataFor(given: Registered) {
      const { client_id: _, ...rest } = metadata('', given)
      return rest
    },
    /** The id of a program; null where it says too much. */
    idOf(metadata: unknown): string | null {
      const text = Buffer.from(JSON.stringify(registered.parse(metadata))).toString('base64url')
      const id = `${PREFIX}${text}.${sign(text)}`
      return id.length <= LIMITS.clientId.max ? id : null
    },
    /** What was registered under an id; null for what is none. */
    metadataOf(id: string): Readonly<Record<string, unknown>> | null {
      if (id === TERMINAL) return metadata(id, { client_name: 'A program at a terminal' })
      const [text = '', signature = ''] = id.startsWith(PREFIX) ? id.slice(PREFIX.length).split('.') : []
      const [given, own] = [Buffer.from(signature), Buffer.from(sign(text))]
      if (given.length !== own.length || !timingSafeEqual(given, own)) return null
      return metadata(id, registered.parse(JSON.parse(Buffer.from(text, 'base64url').toString())))
    }
  }
}

function metadata(client_id: string, { client_name = 'A program', redirect_uris = [] }: Registered) {
  const isWeb = redirect_uris.length > 0
  return {
    client_id,
    client_name,
    redirect_uris,
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'ES256',
    grant_types: isWeb ? ['authorization_code', DEVICE_CODE] : [DEVICE_CODE],
    response_types: isWeb ? ['code'] : []
  }
}
