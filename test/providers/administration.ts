import { generateKeyPairSync } from 'node:crypto'
import { z } from 'zod'

/** Somebody whom the provider knows. */
export interface Person {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly groups: readonly string[]
}

/** An application as the provider knows it. */
export interface Client {
  readonly id: string
  readonly name: string
  /** Of letters and digits: the provider does not decode what stands for others in the header. */
  readonly secret: string
  readonly redirectUri: string
  /** Where it is told of the end of a session; null where it does not want to know. */
  readonly logoutUri: string | null
}

/** What the provider's administrator sets, over its own API. */
export interface Administration {
  /** Lets the provider speak OpenID Connect, and know of groups. Resolves to its issuer. */
  speakOpenIdConnect(): Promise<string>
  addClient(client: Client): Promise<void>
  addPerson(person: Person): Promise<void>
  /** What the provider keeps of somebody, from now on. */
  changePerson(person: Person): Promise<void>
}

/** The account that the package makes its database with. */
const FIRST_ADMINISTRATOR = { username: 'admin', password: 'password' }
/** What the provider calls the part of it that speaks OpenID Connect; its addresses have it. */
const PLUGIN = 'oidc'
/** What the hub asks for: each is a scope that people have, and agree to give. */
export const SCOPES = ['openid', 'profile', 'email', 'groups'] as const

const userModule = z.looseObject({
  parameters: z.looseObject({ 'data-format': z.record(z.string(), z.unknown()) })
})

/** Signs in as the administrator of a provider that is new. */
export async function administrationOf(url: string): Promise<Administration> {
  const api = `${url}/api`
  const send = sender(api, await cookieOf(api))
  return {
    async speakOpenIdConnect() {
      const people = userModule.parse(await send('GET', '/mod/user/database'))
      const format = { ...people.parameters['data-format'], groups: { multiple: true, read: true, write: true } }
      const parameters = { ...people.parameters, 'data-format': format }
      await send('PUT', '/mod/user/database', { ...people, parameters })
      await send('PUT', '/mod/user/database/reset/')
      for (const name of SCOPES.filter((one) => one !== 'openid')) await send('POST', '/scope/', scope(name))
      const issuer = `${api}/${PLUGIN}`
      await send('POST', '/mod/plugin/', plugin(issuer))
      return issuer
    },
    addClient: async (client) => void (await send('POST', '/client/?source=database', clientOf(client))),
    addPerson: async (person) => void (await send('POST', '/user/?source=database', account(person))),
    changePerson: async (person) =>
      void (await send('PUT', `/user/${person.username}?source=database`, account(person)))
  }
}

async function cookieOf(api: string): Promise<string> {
  const body = JSON.stringify(FIRST_ADMINISTRATOR)
  const answer = await fetch(`${api}/auth/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const [cookie = ''] = answer.headers.getSetCookie()
  if (!answer.ok || cookie === '') throw new Error(`The provider's administrator is not let in: ${answer.status}`)
  return cookie.replace(/;.*/, '')
}

function sender(api: string, cookie: string) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { cookie, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(api + path, { method, headers, ...sent })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} of the provider: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

/** Whoever has it is asked for their password. */
const scope = (name: string) => ({
  ...{ name, display_name: name, password_required: true, password_max_age: 0, scheme: {} }
})

function plugin(issuer: string) {
  const [publicKeyEncoding, privateKeyEncoding] = [
    { type: 'spki', format: 'pem' },
    { type: 'pkcs8', format: 'pem' }
  ] as const
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
  return {
    ...{ module: 'oidc', name: PLUGIN, display_name: 'OpenID Connect', enabled: true },
    parameters: {
      ...{ iss: issuer, 'subject-type': 'public', 'allowed-scope': SCOPES, 'jwks-show': true },
      ...{ 'jwt-type': 'rsa', 'jwt-key-size': '256', key: pair.privateKey, cert: pair.publicKey },
      ...{ 'access-token-duration': 3600, 'refresh-token-duration': 1_209_600, 'code-duration': 600 },
      ...{ 'auth-type-code-enabled': true, 'auth-type-refresh-enabled': true, 'pkce-allowed': true },
      ...{ 'name-claim': 'on-demand', 'name-claim-scope': ['profile'] },
      ...{ 'email-claim': 'on-demand', 'email-claim-scope': ['email'] },
      ...{ 'scope-claim': 'no', 'scope-claim-scope': [], 'address-claim': { type: 'no' } },
      claims: [{ name: 'groups', 'user-property': 'groups', type: 'string', 'on-demand': true, scope: ['groups'] }],
      ...{
        'session-management-allowed': true,
        'front-channel-logout-allowed': true,
        'back-channel-logout-allowed': true
      },
      ...{ 'session-cookie-name': 'GLEWLWYD2_OIDC_SID', 'session-cookie-expiration': 2_419_200 }
    }
  }
}

const clientOf = ({ id, name, secret, redirectUri, logoutUri }: Client) => ({
  ...{ client_id: id, name, enabled: true, confidential: true, client_secret: secret },
  ...{ redirect_uri: [redirectUri], authorization_type: ['code', 'refresh_token'], scope: [] },
  token_endpoint_auth_method: ['client_secret_basic'],
  ...(logoutUri !== null && { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: 'yes' })
})

const account = (person: Person) => ({ ...person, scope: SCOPES, enabled: true })
