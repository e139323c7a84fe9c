import { isUtf8 } from 'node:buffer'
import { noAuth } from '../../../commands/content.js'
import type { Auth, KeyValue, Notes } from '../formats/model.js'
import { type Fields, text } from './loose.js'

/** What an authentication of another tool comes to here: an auth block, or rows beside it that send the same. */
export interface ReadAuth {
  readonly auth: Auth
  readonly headers: readonly KeyValue[]
  readonly query: readonly KeyValue[]
}

export const NO_AUTH: ReadAuth = { auth: noAuth, headers: [], query: [] }

export const basicAuth = (username: string, password: string): ReadAuth => ({
  ...NO_AUTH,
  auth: { ...noAuth, type: 'basic', basic: { username, password } }
})

export const bearerAuth = (token: string): ReadAuth => ({
  ...NO_AUTH,
  auth: { ...noAuth, type: 'bearer', bearer: { token } }
})

/** A key that is sent as a header, or in the query. */
export function keyAuth(key: string, value: string, where: 'header' | 'query'): ReadAuth {
  if (key === '') return NO_AUTH
  const row = { key, value, enabled: true }
  return where === 'query' ? { ...NO_AUTH, query: [row] } : { ...NO_AUTH, headers: [row] }
}

/** True where it sends nothing, so that what is around it counts in tools that know no opting out. */
export const isNoAuth = ({ auth, headers, query }: ReadAuth): boolean =>
  auth.type === 'none' && headers.length + query.length === 0

/** Said of a request that is not to be authenticated, in a collection that authenticates all. */
export const OPTS_OUT = 'A request that opts out of authentication uses that of its collection.'

/** True where a collection that authenticates so does that for all that is in it. */
export const authenticatesAll = ({ auth, headers }: ReadAuth): boolean => auth.type !== 'none' || headers.length > 0

/** What a collection sends in the query of each request, which has a place in these alone; null for nothing. */
export const inEachRequest = ({ query }: ReadAuth): ReadAuth | null =>
  query.length === 0 ? null : { ...NO_AUTH, query }

/** An authentication as tools name it; `of` has its parameters under the names that they have in common. */
export function readAuth(type: string, of: Fields, place: string, notes: Notes): ReadAuth {
  switch (type) {
    case '':
    case 'none':
    case 'noauth':
    case 'inherit':
      return NO_AUTH
    case 'basic':
      return basicAuth(text(of.username), text(of.password))
    case 'bearer':
      return bearerAuth(prefixed(text(of.prefix), text(of.token)))
    case 'apikey': {
      const named = text(of.in ?? of.addTo ?? of.placement)
      const where = /query/.test(named) ? 'query' : 'header'
      notes.add(place, `An API key is kept as a ${where === 'query' ? 'query parameter' : 'header'}.`)
      if (named === 'cookie') return keyAuth('Cookie', `${text(of.key)}=${text(of.value)}`, where)
      return keyAuth(text(of.key), text(of.value), where)
    }
    case 'oauth2': {
      const token = text(of.accessToken ?? of.access_token)
      notes.add(place, 'How OAuth 2.0 gets its token is not carried over; a token that the source has is kept.')
      return token === '' ? NO_AUTH : bearerAuth(token)
    }
    default:
      notes.add(place, `Authentication by "${type.slice(0, 40)}" is not carried over: there is basic and bearer.`)
      return NO_AUTH
  }
}

/** The usual prefix goes without saying. */
function prefixed(prefix: string, token: string): string {
  return prefix === '' || prefix.toLowerCase() === 'bearer' ? token : `${prefix} ${token}`
}

/** Takes the authentication out of headers that have it as it is sent; headers that have another stay as they are. */
export function authOfHeaders(headers: readonly KeyValue[]): ReadAuth {
  const at = headers.findIndex(({ key }) => key.toLowerCase() === 'authorization')
  const sent = headers[at]?.value ?? ''
  const others = headers.filter((_, i) => i !== at)
  const [, token] = /^Bearer (\S.*)$/is.exec(sent) ?? []
  if (token !== undefined) return { ...bearerAuth(token), headers: others }
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(sent) ?? []
  const bytes = Buffer.from(encoded ?? '', 'base64')
  const [username = '', ...password] = bytes.toString().split(':')
  if (password.length === 0 || !isUtf8(bytes)) return { ...NO_AUTH, headers }
  return { ...basicAuth(username, password.join(':')), headers: others }
}
