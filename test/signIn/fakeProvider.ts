import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** What a provider of the tests says, and may say wrong. */
export interface Saying {
  /** Claims of the ID token that are otherwise than usual; undefined takes one away. */
  claims?: Readonly<Record<string, unknown>>
  /** Claims of the user info that are otherwise than usual; undefined takes one away. */
  userInfo?: Readonly<Record<string, unknown>>
  /** Signs the ID token in place of the provider's own key, whose public part it is told. */
  sign?: (payload: JWTPayload, own: JWK) => Promise<string>
  /** Members of the discovery document that are otherwise. */
  metadata?: Readonly<Record<string, unknown>>
  /** What is put into the query that leads back, in place of the usual; undefined takes one away. */
  back?: Readonly<Record<string, string | undefined>>
  /** True where it gives refresh tokens, each of which is good once. */
  refreshes?: boolean
  /** Answers a path in place of the provider. */
  answers?: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>>
}

export interface FakeProvider {
  readonly issuer: string
  /** What it says from now on. */
  says: Saying
  /** How often each path was asked for. */
  readonly asked: Map<string, number>
  /** Those that it takes now: what is taken out of it is good no more. */
  readonly refreshTokens: Set<string>
  /** True where the hub has proved itself in the header of the last request for tokens. */
  wasBasic: boolean
  /** Codes and tokens that it has given out: nobody but the hub may ever see them. */
  readonly issued: Set<string>
  /** A logout token with these claims; undefined takes one of the usual away. */
  logoutToken(claims: Readonly<Record<string, unknown>>): Promise<string>
  /** Signs with another key than before from now on, under a new name unless told otherwise. */
  rotate(name?: string): Promise<void>
  close(): Promise<void>
}

const CLIENT = 'hub'
export const CLIENT_SECRET = 'secret-of-the-client-as-long-as-a-key'

/** The keys that providers sign with in turn, made once for a process: to make one takes longer than to sign somebody in. */
const pairs = Promise.all([0, 1].map(() => generateKeyPair('RS256', { extractable: true })))

async function pair(turn: number): Promise<Keys> {
  const all = await pairs
  const keys = all[turn % all.length]
  if (!keys) throw new Error('There are no keys.')
  return keys
}

/** A provider of OpenID Connect that asks nobody anything: whoever comes is who `says` has it, else `ada`. */
export async function startProvider(): Promise<FakeProvider> {
  let turn = 0
  let keys = await pair(turn)
  let kid: string = randomUUID()
  const codes = new Map<string, { readonly nonce: string; readonly challenge: string }>()
  const asked = new Map<string, number>()
  const refreshTokens = new Set<string>()
  const issued = new Set<string>()
  const given = (secret: string): string => {
    issued.add(secret)
    return secret
  }
  const publicKey = async () => ({ ...(await exportJWK(keys.publicKey)), kid, alg: 'RS256', use: 'sig' })
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The provider listens on no port.')
  const issuer = `http://127.0.0.1:${address.port}`
  const provider: FakeProvider = {
    issuer,
    says: {},
    refreshTokens,
    wasBasic: false,
    asked,
    issued,
    logoutToken: async (claims) =>
      given(
        await signed({
          ...{ iss: issuer, aud: CLIENT, jti: randomUUID(), ...times(120) },
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          ...claims
        })
      ),
    async rotate(name: string = randomUUID()) {
      keys = await pair(++turn)
      kid = name
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
  // What is undefined is taken away.
  const signed = (payload: JWTPayload) =>
    new SignJWT(JSON.parse(JSON.stringify(payload))).setProtectedHeader({ alg: 'RS256', kid }).sign(keys.privateKey)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1)
    const { says } = provider
    const own = says.answers?.[url.pathname]
    if (own) return void own(response, request)
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, { ...metadata(issuer), ...says.metadata })
      case '/keys':
        return json(response, { keys: [await publicKey()] })
      case '/authorize': {
        const code = given(randomBytes(16).toString('hex'))
        codes.set(code, {
          nonce: url.searchParams.get('nonce') ?? '',
          challenge: url.searchParams.get('code_challenge') ?? ''
        })
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        const query = { code, state: url.searchParams.get('state') ?? '', iss: issuer, ...says.back }
        for (const [name, value] of Object.entries(query)) if (value !== undefined) back.searchParams.set(name, value)
        response.writeHead(302, { location: back.href }).end()
        return
      }
      case '/token': {
        const form = new URLSearchParams(await text(request))
        provider.wasBasic = request.headers.authorization !== undefined
        if (secretIn(request, form) !== CLIENT_SECRET) return json(response, { error: 'invalid_client' }, 401)
        const refreshToken = says.refreshes ? { refresh_token: given(`refresh-${randomUUID()}`) } : {}
        if (form.get('grant_type') === 'refresh_token') {
          if (!refreshTokens.delete(form.get('refresh_token') ?? ''))
            return json(response, { error: 'invalid_grant' }, 400)
          for (const token of Object.values(refreshToken)) refreshTokens.add(token)
          const claims = { iss: issuer, sub: 'ada', aud: CLIENT, ...times(300), ...says.claims }
          const id_token = given(await (says.sign ?? signed)(claims, await publicKey()))
          const access = { access_token: given(`access-${randomUUID()}`), token_type: 'Bearer', expires_in: 300 }
          return json(response, { ...access, ...refreshToken, id_token })
        }
        for (const token of Object.values(refreshToken)) refreshTokens.add(token)
        const began = codes.get(form.get('code') ?? '')
        codes.delete(form.get('code') ?? '')
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        if (began?.challenge !== challenge) return json(response, { error: 'invalid_grant' }, 400)
        const claims = {
          iss: issuer,
          sub: 'ada',
          aud: CLIENT,
          nonce: began.nonce,
          sid: 'one',
          ...times(300),
          ...says.claims
        }
        const payload: JWTPayload = JSON.parse(JSON.stringify(claims))
        const id_token = given(await (says.sign ?? signed)(payload, await publicKey()))
        return json(response, {
          access_token: given(`access-${randomUUID()}`),
          token_type: 'Bearer',
          expires_in: 300,
          ...refreshToken,
          id_token
        })
      }
      case '/userinfo':
        return json(response, {
          sub: 'ada',
          name: 'Ada',
          email: 'ada@example.com',
          email_verified: true,
          ...says.userInfo
        })
      default:
        response.writeHead(404).end()
    }
  }
  return provider
}

/** What a client proves itself with: in the header, or in the form. */
function secretIn({ headers }: IncomingMessage, form: URLSearchParams): string | null {
  const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  const [, inHeader = null] = Buffer.from(basic, 'base64').toString().split(':')
  const inForm = form.get('client_secret')
  return inForm !== null && inHeader !== null ? null : decodeURIComponent(inHeader ?? inForm ?? '')
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true
  }
}

function times(seconds: number) {
  const now = Math.floor(Date.now() / 1000)
  return { iat: now, exp: now + seconds }
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
