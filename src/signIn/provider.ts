import type { ClientAuth, Configuration } from 'openid-client'
import { z } from 'zod'
import type { SignInProviderConfig } from '../config/types.js'
import { errors, HubError } from '../errors.js'
import { LIMITS } from '../limits.js'
import type { Claims } from './claims.js'
import { ProviderWrong, providerFetch, type Reach } from './fetch.js'
import type { Signatures } from './signatures.js'

/** What a sign-in on its way has to bring back. */
export interface Check {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Somebody as a provider knows them, verified. */
export interface SignedIn {
  readonly issuer: string
  readonly subject: string
  /** What the provider calls the session; null where it does not say. */
  readonly session: string | null
  readonly claims: Claims
  /** What it has signed all that in. */
  readonly idToken: string
  /** What the provider may be asked again by; null where it gives none. */
  readonly refreshToken: string | null
}

/** What a provider says of somebody later on. */
export interface Again {
  /** Null where it says nothing that can be used, `silent` where it does not say in time. */
  readonly claims: Claims | 'silent' | null
  /** What it is asked by the next time; null for the same as before. */
  readonly refreshToken: string | null
}

/** Whose sessions a provider ends: all of a subject, or one. */
export interface LogoutOf {
  readonly issuer: string
  readonly subject: string | null
  readonly session: string | null
}

/** Told of what a provider answered wrong: a code and a sentence, which hold no token. */
export type Trouble = (provider: string, code: string, why: string) => void

/** How long what a provider says of itself is believed. Keys are asked for again by themselves. */
const DISCOVERED_MS = 10 * 60_000
const TIMEOUT_SECONDS = 6
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const BASIC = 'client_secret_basic'
/** The most that OpenID Connect lets a subject have. */
const SUBJECT_MAX = 255

const logoutToken = z.object({
  iss: z.string(),
  sub: z.string().optional(),
  sid: z.string().optional(),
  events: z.object({ [LOGOUT_EVENT]: z.looseObject({}) }),
  nonce: z.undefined().optional()
})

/** What a provider has said of itself, and what verifies its signatures. */
interface Discovered {
  readonly configuration: Configuration
  readonly signatures: Signatures
}

const keySet = z.object({ keys: z.array(z.unknown()) })

/** One provider of OpenID Connect, by the library that is loaded when somebody first signs in. */
export class Provider {
  readonly config: SignInProviderConfig
  readonly #redirect: string
  readonly #fetch: ReturnType<typeof providerFetch>
  readonly #trouble: Trouble
  #known: { readonly until: number; readonly discovered: Promise<Discovered> } | null = null

  constructor(config: SignInProviderConfig, redirect: string, trouble: Trouble, reach: Reach = {}) {
    this.config = config
    this.#redirect = redirect
    this.#trouble = trouble
    const { issuer, allowPrivateAddresses } = config
    this.#fetch = providerFetch({ host: new URL(issuer).host, allowPrivateAddresses, ...reach })
  }

  /** Where a browser is sent to sign in, and what it has to bring back. 502 or 503 where the provider cannot be used. */
  async begin(): Promise<{ readonly url: URL; readonly check: Check }> {
    return this.#refusing(
      (async () => {
        const client = await import('openid-client')
        const { configuration } = await this.#discovered()
        const check = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier()
        }
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: this.#redirect,
          scope: this.config.scopes.join(' '),
          code_challenge: await client.calculatePKCECodeChallenge(check.verifier),
          code_challenge_method: 'S256',
          state: check.state,
          nonce: check.nonce
        })
        return { url, check }
      })()
    )
  }

  /** Who came back with this query, by the provider's own signed word. 400, 502 or 503 where it is nobody. */
  async finish(query: string, check: Check): Promise<SignedIn> {
    // One that was begun later in the same browser has taken its place, or somebody else has begun it.
    if (new URLSearchParams(query).get('state') !== check.state) throw errors.signInLost()
    return this.#refusing(this.#signedIn(query, check))
  }

  async #signedIn(query: string, { state, nonce, verifier }: Check): Promise<SignedIn> {
    const client = await import('openid-client')
    const { configuration, signatures } = await this.#discovered()
    const back = new URL(this.#redirect)
    back.search = query
    const tokens = await client.authorizationCodeGrant(configuration, back, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true
    })
    const own = tokens.claims()
    if (!own || tokens.id_token === undefined) throw new ProviderWrong('The provider sent no ID token.')
    await signatures.sent(tokens.id_token)
    if ((own.azp ?? this.config.clientId) !== this.config.clientId)
      throw new ProviderWrong('Another client asked for it.')
    if (own.sub.length > SUBJECT_MAX) throw new ProviderWrong('The subject is longer than one may be.')
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(configuration, tokens.access_token, own.sub)
      : {}
    const session = typeof own.sid === 'string' ? own.sid : null
    const [idToken, refreshToken] = [tokens.id_token, refreshTokenIn(tokens)]
    return { issuer: own.iss, subject: own.sub, session, claims: { ...more, ...own }, idToken, refreshToken }
  }

  /**
   * Asks again of somebody who has signed in. `ended` where the provider takes the refresh token no more, or is about somebody else; 502
   * or 503 where it says nothing that can be used. With `tokenAlone` it is not asked who that is, and no claims come of it.
   */
  async refresh(refreshToken: string, subject: string, tokenAlone = false): Promise<Again | 'ended'> {
    return this.#refusing(this.#refreshed(refreshToken, subject, tokenAlone))
  }

  async #refreshed(refreshToken: string, subject: string, tokenAlone: boolean): Promise<Again | 'ended'> {
    const client = await import('openid-client')
    const { configuration, signatures } = await this.#discovered()
    const tokens = await client.refreshTokenGrant(configuration, refreshToken).catch((error: unknown) => {
      if (isRefused(error)) return null
      throw error
    })
    const own = tokens?.claims()
    if (!tokens || (own && own.sub !== subject)) return 'ended'
    const said = async () => {
      if (tokens.id_token !== undefined) await signatures.sent(tokens.id_token)
      const more = configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, subject)
        : {}
      return { ...more, ...own }
    }
    const unsaid = (error: unknown) => (error instanceof HubError && error.status === 503 ? 'silent' : null)
    // The one before may be good no more: whatever fails behind it, the next one is kept.
    const claims = tokenAlone ? null : await this.#refusing(said()).catch(unsaid)
    return { claims, refreshToken: refreshTokenIn(tokens) }
  }

  /** Whose sessions a logout token ends; 400 for one that is not the provider's. */
  async logout(token: string): Promise<LogoutOf> {
    const { configuration, signatures } = await this.#refusing(this.#discovered())
    const { issuer } = configuration.serverMetadata()
    const required = { issuer, audience: this.config.clientId, requiredClaims: ['jti'] }
    const payload = await this.#refusing(signatures.brought(token, required), errors.logoutRefused())
    const { success, data } = logoutToken.safeParse(payload)
    if (!success || (data.sub === undefined && data.sid === undefined)) throw errors.logoutRefused()
    return { issuer, subject: data.sub ?? null, session: data.sid ?? null }
  }

  /**
   * Where a browser ends the session at the provider too, by the ID token of it where that is known: without one some ask, and some do
   * nothing. Null where the provider offers that nowhere, or cannot be asked.
   */
  async end(idToken: string | null): Promise<URL | null> {
    const client = await import('openid-client')
    try {
      const { configuration } = await this.#discovered()
      if (!configuration.serverMetadata().end_session_endpoint) return null
      const url = client.buildEndSessionUrl(configuration, { client_id: this.config.clientId })
      if (idToken !== null) url.searchParams.set('id_token_hint', idToken)
      return url
    } catch (error) {
      this.#refusal(error, errors.providerWrong())
      return null
    }
  }

  /** Asks what it says of itself: how many keys it has, and how far its clock is ahead. Throws what went wrong, in plain words. */
  async examine(): Promise<{ readonly keys: number; readonly clock_ms: number }> {
    try {
      const { jwks_uri = '' } = (await this.#discovered()).configuration.serverMetadata()
      const answer = await this.#fetch(jwks_uri)
      const date_ms = Date.parse(answer.headers.get('date') ?? '')
      const { data } = keySet.safeParse(await answer.json())
      return { keys: data?.keys.length ?? 0, clock_ms: Number.isNaN(date_ms) ? 0 : date_ms - Date.now() }
    } catch (error) {
      throw new Error(innermost(error).message)
    }
  }

  #discovered(): Promise<Discovered> {
    const now = performance.now()
    if (this.#known && now < this.#known.until) return this.#known.discovered
    const discovered = this.#discovery()
    this.#known = { until: now + DISCOVERED_MS, discovered }
    // What failed is asked again by whoever comes next.
    discovered.catch(() => {
      if (this.#known?.discovered === discovered) this.#known = null
    })
    return discovered
  }

  async #discovery(): Promise<Discovered> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.config
    const url = new URL(issuer)
    const { signaturesBy, CLOCK_SECONDS } = await import('./signatures.js')
    const execute = url.protocol === 'http:' ? [client.allowInsecureRequests] : []
    const metadata = { [client.clockTolerance]: CLOCK_SECONDS }
    // Basic is what every provider takes that does not say otherwise.
    const auth: ClientAuth = (server, ...more) => {
      if (clientSecret === undefined) return client.None()(server, ...more)
      const { token_endpoint_auth_methods_supported: taken = [BASIC] } = server
      const how = taken.includes(BASIC) ? client.ClientSecretBasic : client.ClientSecretPost
      return how(clientSecret)(server, ...more)
    }
    const configuration = await client.discovery(url, clientId, metadata, auth, {
      ...{ execute, timeout: TIMEOUT_SECONDS },
      [client.customFetch]: (address, { method, headers, body }) => this.#fetch(address, { method, headers, body })
    })
    const { jwks_uri = '' } = configuration.serverMetadata()
    if (!URL.canParse(jwks_uri)) throw new ProviderWrong('The provider does not say where its keys are.')
    return { configuration, signatures: signaturesBy(new URL(jwks_uri), this.#fetch) }
  }

  /** The same, with what a person can be told where it fails. */
  async #refusing<T>(work: Promise<T>, otherwise = errors.providerWrong()): Promise<T> {
    try {
      return await work
    } catch (error) {
      throw error instanceof HubError ? error : this.#refusal(error, otherwise)
    }
  }

  #refusal(error: unknown, otherwise: HubError): HubError {
    const { code, message } = innermost(error)
    const named = refusedByProvider.safeParse(error).data?.error
    this.#trouble(this.config.id, code, named === undefined ? message : `The provider says ${named}.`)
    if (code === 'PROVIDER_UNREACHABLE' || code === 'OAUTH_TIMEOUT') return errors.providerSilent()
    if (KEYS_WRONG.includes(code) || OF_THE_HUB.includes(named ?? '')) return errors.providerWrong()
    return named === undefined ? otherwise : errors.signInRefused(named)
  }
}

function refreshTokenIn({ refresh_token: token }: { readonly refresh_token?: string | undefined }): string | null {
  if (token === undefined) return null
  if (token.length > LIMITS.refreshToken.max) throw new ProviderWrong('The refresh token is longer than one may be.')
  return token
}

/** An error that the provider itself has named, by a word of the protocol. */
const refusedByProvider = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) })

/**
 * True where a provider takes a refresh token no more: by the word of the protocol, or by a refusal without any. What stands between the
 * hub and the provider, and refuses by itself, says something else.
 */
function isRefused(error: unknown): boolean {
  if (refusedByProvider.safeParse(error).data?.error === 'invalid_grant') return true
  const answer = error instanceof Error ? error.cause : null
  return answer instanceof Response && answer.status === 400 && !answer.headers.has('content-type')
}

/** What is wrong with how the hub is registered there is no fault of whoever signs in. */
const OF_THE_HUB = ['invalid_client', 'unauthorized_client']
/** What is wrong with the keys of a provider is no fault of a token. */
const KEYS_WRONG = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID']
/** What the libraries and the hub call what goes wrong: their sentences are their own, and hold nothing that was sent. */
const known = z.object({ code: z.string().regex(/^(OAUTH|ERR_J|PROVIDER)/), message: z.string() })

/** Of an error and its causes the last that says what happened. */
function innermost(error: unknown): { readonly code: string; readonly message: string } {
  let told = { code: 'unknown', message: 'something went wrong' }
  for (let one = error; one instanceof Error; one = one.cause) told = known.safeParse(one).data ?? told
  return told
}
