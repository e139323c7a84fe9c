import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type DispatchFunc, inject } from 'light-my-request'
import type Provider from 'oidc-provider'
import { SCOPES } from '../../commands/people/token/scopes.js'
import { keyFileBytes } from '../lib/keyFile.js'
import { once } from '../lib/once.js'
import type { Kept } from '../throttle/kept.js'
import { adapterOn } from './adapter.js'
import { clientIds } from './clients.js'

/** The scopes that a program may ask a person for. */
export const ASKED_SCOPES = SCOPES.filter((scope) => scope !== 'scim' && scope !== 'admin:read')
/** How long a question waits for a person. */
export const QUESTION_SECONDS = 600
/** How long a program waits before it asks again. */
export const POLL_SECONDS = 5
const MOMENT_SECONDS = 60

export const PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  device_authorization: '/oauth/device_authorization'
} as const

/** What is asked of the server, and what it answers. */
export interface OAuthRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}
export interface OAuthAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | number | undefined>>
  readonly body: string
}

/** An authorization server (RFC 6749) of one hub: the grant by codes in a browser, and that for devices (RFC 8628). */
export interface AuthorizationServer {
  readonly provider: Provider
  readonly clients: ReturnType<typeof clientIds>
  ask(request: OAuthRequest): Promise<OAuthAnswer>
}

/** Opens one for a hub at this address, with a key that all hubs of a database share. Throws what the file system says. */
export function authorizationServer(base: URL, keyFile: string, kept: Kept): () => Promise<AuthorizationServer> {
  return once(async () => {
    const { default: OidcProvider, errors } = await import('oidc-provider')
    const key = keyFileBytes(keyFile)
    const clients = clientIds(key)
    const resource = `${rootOf(base)}/mcp`
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const provider = new OidcProvider(rootOf(base), {
      adapter: adapterOn(kept, clients, () => new errors.InvalidGrant('it was used already')),
      // It signs nothing that anybody is given; without a key it would warn of its own.
      jwks: { keys: [privateKey.export({ format: 'jwk' })] },
      cookies: {
        keys: [createHmac('sha256', key).update('cookies').digest('base64url')],
        long: { httpOnly: true, sameSite: 'lax' },
        short: { httpOnly: true, sameSite: 'lax' }
      },
      routes: { ...PATHS },
      scopes: [...ASKED_SCOPES],
      responseTypes: ['code'],
      allowOmittingSingleRegisteredRedirectUri: false,
      pkce: { required: () => true },
      clientDefaults: {
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
        grant_types: ['authorization_code'],
        response_types: ['code']
      },
      clientAuthMethods: ['none'],
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
        registration: { enabled: true, issueRegistrationAccessToken: false },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => resource,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({ scope: ASKED_SCOPES.join(' '), accessTokenFormat: 'opaque' })
        }
      },
      ttl: {
        AccessToken: MOMENT_SECONDS,
        AuthorizationCode: MOMENT_SECONDS,
        DeviceCode: QUESTION_SECONDS,
        Grant: QUESTION_SECONDS,
        Interaction: QUESTION_SECONDS,
        Session: QUESTION_SECONDS
      },
      // Each question is asked anew, whatever was granted before.
      loadExistingGrant: async ({ oidc }) => {
        const grantId = oidc.result?.consent?.grantId
        return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
      },
      interactions: { url: (_, { uid }) => pageFor(base, uid) },
      // What a person reads of it, the route says.
      renderError: async (context, out) => {
        context.type = 'json'
        context.body = JSON.stringify(out)
      },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) })
    })
    provider.proxy = true
    // What has failed is told as everywhere: by the error itself.
    const failures = new WeakMap<IncomingMessage, unknown>()
    provider.on('server_error', ({ req }, error) => failures.set(req, error))
    const handle = provider.callback()
    return {
      provider,
      clients,
      async ask({ method, url, headers, payload }) {
        const { host, protocol } = base
        const sent = { ...headers, host, 'x-forwarded-proto': protocol.slice(0, -1) }
        let asked: IncomingMessage | null = null
        const serve: DispatchFunc = (request, response) => {
          asked = request
          void handle(request, response)
        }
        const answer = await inject(serve, { method, url, headers: sent, ...(payload !== undefined && { payload }) })
        const failure = asked && failures.get(asked)
        if (failure) throw failure
        return { status: answer.statusCode, headers: answer.headers, body: answer.payload }
      }
    }
  })
}

/** Where somebody answers the question under a code, or with none types one in. */
export function pageFor(base: URL, code: string): string {
  return `${rootOf(base)}/console/#/approve/${encodeURIComponent(code)}`
}

/** An address without a slash at its end. */
export function rootOf(base: URL): string {
  return String(base).replace(/\/+$/, '')
}
