import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type DispatchFunc, inject } from 'light-my-request'
import type Provider from 'oidc-provider'
import { SCOPES } from '../../commands/people/token/scopes.js'
import { MADE_KEYS } from '../config/keys.js'
import { keyMadeIn } from '../lib/keyFile.js'
import { once } from '../lib/once.js'
import type { ExpiringTexts } from '../throttle/expiringTexts.js'
import { adapterOn } from './adapter.js'
import { type Browsers, browsersWith } from './browsers.js'
import { clientIds } from './clients.js'
import { type Store, storeIn } from './store.js'

/** The scopes that a program may ask a person for. */
export const ASKED_SCOPES = SCOPES.filter((scope) => scope !== 'scim' && scope !== 'admin:read')
/** How long a question waits for a person. */
export const QUESTION_SECONDS = 600
/** How long a program waits before it asks again. */
export const POLL_SECONDS = 5
const MOMENT_SECONDS = 60
/** Names the browser that is led somewhere: only the hub's own routes send it. */
export const BROWSER_HEADER = 'x-hub-browser'

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
  /** The grant whose code has come a second time: what was given for it is no longer to be in force. Null elsewhere. */
  readonly replayed: string | null
}

/** An authorization server (RFC 6749) of one hub: the grant by codes in a browser, and that for devices (RFC 8628). */
export interface AuthorizationServer {
  readonly provider: Provider
  readonly clients: ReturnType<typeof clientIds>
  readonly browsers: Browsers
  readonly store: Store
  ask(request: OAuthRequest): Promise<OAuthAnswer>
}

/** The addresses that a token may be asked for: that of agents, and the hub. */
export function resourcesOf(base: URL): readonly [agents: string, hub: string, hubAsUrl: string] {
  const root = rootOf(base)
  return [`${root}/mcp`, root, `${root}/`]
}

/**
 * Opens one for a hub at this address, with a key that all hubs of a database share. Questions wait for so many seconds. It rejects
 * with `UnusableKey`.
 */
export function authorizationServer(
  base: URL,
  keyFile: string,
  texts: ExpiringTexts,
  waits_seconds = QUESTION_SECONDS
): () => Promise<AuthorizationServer> {
  return once(async () => {
    const { default: OidcProvider, errors } = await import('oidc-provider')
    const key = keyMadeIn(keyFile, MADE_KEYS.authorization)
    const clients = clientIds(key)
    const store = storeIn(texts, key)
    const browsers = browsersWith(key)
    const resources = resourcesOf(base)
    class UsedAlready extends errors.InvalidGrant {
      constructor(readonly grantId: string | undefined) {
        super('it was used already')
      }
    }
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const provider = new OidcProvider(rootOf(base), {
      adapter: adapterOn(store, clients, (grantId) => new UsedAlready(grantId)),
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
          defaultResource: () => resources[0],
          useGrantedResource: () => true,
          getResourceServerInfo: (_, asked) => {
            if (!resources.includes(asked)) throw new errors.InvalidTarget(`tokens are given for ${resources[0]}`)
            return { scope: ASKED_SCOPES.join(' '), accessTokenFormat: 'opaque' }
          }
        }
      },
      ttl: {
        AccessToken: MOMENT_SECONDS,
        AuthorizationCode: MOMENT_SECONDS,
        DeviceCode: waits_seconds,
        Grant: waits_seconds,
        Interaction: waits_seconds,
        Session: waits_seconds
      },
      // Each question is asked anew, whatever was granted before.
      loadExistingGrant: async ({ oidc }) => {
        const grantId = oidc.result?.consent?.grantId
        return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
      },
      interactions: {
        url: ({ headers }, { uid }) => pageFor(base, browsers.codeFor(uid, String(headers[BROWSER_HEADER])))
      },
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
    const replays = new WeakMap<IncomingMessage, string>()
    provider.on('grant.revoked', ({ req }, grantId) => replays.set(req, grantId))
    provider.on('grant.error', ({ req }, error) => {
      if (error instanceof UsedAlready && error.grantId !== undefined) replays.set(req, error.grantId)
    })
    const handle = provider.callback()
    return {
      provider,
      clients,
      browsers,
      store,
      async ask({ method, url, headers, payload }) {
        const { host, protocol, pathname } = base
        const path = pathname.replace(/\/+$/, '')
        const sent = { ...headers, host, 'x-forwarded-proto': protocol.slice(0, -1) }
        const asked: IncomingMessage[] = []
        const serve: DispatchFunc = (request, response) => {
          asked.push(request)
          // What the library leads back to lies below the path of the hub, which a proxy has taken off.
          void handle(Object.assign(request, { originalUrl: path + url }), response)
        }
        const answer = await inject(serve, { method, url, headers: sent, ...(payload !== undefined && { payload }) })
        const [request] = asked
        const failure = request && failures.get(request)
        if (failure) throw failure
        const replayed = (request && replays.get(request)) ?? null
        return { status: answer.statusCode, headers: answer.headers, body: answer.payload, replayed }
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
