import type { Schemas } from '@collections-hub/client'
import { formRowsOf } from './faults.js'
import { pathFilledIn } from './pathVariables.js'
import { isReference, isSecretName, MASK } from './secrets.js'
import { decoded, urlMasked } from './urlSecrets.js'
import { filledIn, type Variables } from './variables.js'

type SavedRequest = Schemas['SavedRequest']

/** What a collection adds to each of its requests. */
export type Shared = Pick<Schemas['Collection'], 'headers' | 'auth'>

/** What is filled in, and whether secrets are. */
export interface Filling {
  /** Empty where references stay as they are. */
  readonly variables: Variables
  readonly withSecrets: boolean
}

/** Something with a name that is sent. */
export interface NameValue {
  readonly name: string
  readonly value: string
}

/** The body that is sent; a part of a form is a text, or the file at a path. */
type SentBody =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'urlencoded'; readonly fields: readonly NameValue[] }
  | { readonly is: 'multipart'; readonly parts: readonly (NameValue & { readonly isFile: boolean })[] }

/** What goes over the wire for a request. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: readonly NameValue[]
  readonly basic: { readonly user: string; readonly password: string } | null
  readonly body: SentBody | null
}

/** What a text is, by the type of its body, where no header says it. */
const TYPES: Readonly<Partial<Record<SavedRequest['bodyType'], string>>> = {
  json: 'application/json',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded'
}

/** Names that a header can have; others are sent by nobody. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * What is sent for a request, with what its collection adds: its headers where the request has none of the name, and its
 * authorization where the request has none.
 */
export function sentFor(request: SavedRequest, shared: Shared | null, { variables, withSecrets }: Filling): Sent {
  const fill = (text: string) => filledIn(text, variables, withSecrets)
  const sentValue = (name: string, value: string) => {
    const isHidden = !withSecrets && isSecretName(name) && value !== '' && !isReference(value)
    return isHidden ? MASK : fill(value)
  }
  const auth = request.auth.type === 'none' ? shared?.auth : request.auth
  const own = headersIn(request.headers, sentValue)
  const headers = [...headersIn(shared?.headers ?? [], sentValue).filter(({ name }) => !has(own, name)), ...own]
  if (auth?.type === 'bearer' && !has(headers, 'authorization'))
    headers.push({ name: 'Authorization', value: `Bearer ${sentValue('token', auth.bearer.token)}` })
  const body = bodyOf(request, fill, sentValue)
  const type = TYPES[request.bodyType]
  if (body?.is === 'text' && type !== undefined && !has(headers, 'content-type'))
    headers.push({ name: 'Content-Type', value: type })
  return {
    method: request.method,
    url: urlOf(request, fill, sentValue, withSecrets),
    // That of a form with parts names what stands between them, which whoever sends it chooses.
    headers: body?.is === 'multipart' ? headers.filter(({ name }) => name.toLowerCase() !== 'content-type') : headers,
    basic:
      auth?.type === 'basic'
        ? { user: fill(auth.basic.username), password: sentValue('password', auth.basic.password) }
        : null,
    body
  }
}

/** Every reference stays as it is, also where it stands for a secret. */
const AS_WRITTEN: Filling = { variables: new Map(), withSecrets: true }

/** The texts in which variables are filled in where a request is sent, with those that its collection adds, as they are written. */
export function textsSent(request: SavedRequest, shared: Shared | null): readonly string[] {
  return textsOf(sentFor(request, shared, AS_WRITTEN))
}

/** Everything of a request that references to variables can stand in. */
export function textsOf({ url, headers, basic, body }: Sent): readonly string[] {
  const rows = body?.is === 'urlencoded' ? body.fields : body?.is === 'multipart' ? body.parts : []
  return [
    url,
    ...[...headers, ...rows].flatMap(({ name, value }) => [name, value]),
    ...(basic ? [basic.user, basic.password] : []),
    ...(body?.is === 'text' ? [body.text] : [])
  ]
}

export const has = (headers: readonly NameValue[], wanted: string): boolean =>
  headers.some(({ name }) => name.toLowerCase() === wanted.toLowerCase())

/** The value of something with a name, filled in, or masked. */
type SentValue = (name: string, value: string) => string

function headersIn(headers: readonly Schemas['KeyValue'][], sentValue: SentValue): NameValue[] {
  const sent = headers.filter(({ key, enabled }) => enabled && HEADER_NAME.test(key))
  return sent.map(({ key, value }) => ({ name: key, value: sentValue(key, value).replace(/[\r\n]+/g, ' ') }))
}

function bodyOf(
  { body, bodyType }: SavedRequest,
  fill: (text: string) => string,
  sentValue: SentValue
): SentBody | null {
  if (bodyType === 'none' || body === '') return null
  const rows = bodyType === 'urlencoded' || bodyType === 'multipart' ? formRowsOf(body) : null
  if (!rows) return { is: 'text', text: fill(body) }
  const sent = rows.filter(({ key, enabled }) => enabled && key !== '')
  const fields = sent.map(({ key, value, type }) => ({
    ...{ name: fill(key), value: sentValue(key, value), isFile: type === 'file' }
  }))
  return bodyType === 'urlencoded' ? { is: 'urlencoded', fields } : { is: 'multipart', parts: fields }
}

/** The URL with its parameters behind what it asks for itself; of those that it has already, its own count. */
function urlOf(
  { url, params }: SavedRequest,
  fill: (text: string) => string,
  sentValue: SentValue,
  withSecrets: boolean
): string {
  const filled = fill(pathFilledIn(url, (name) => pathValue(name, fill)))
  const whole = withSecrets ? filled : urlMasked(filled, url)
  const [, base = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(whole) ?? []
  const named = new Set(
    query
      .slice(1)
      .split('&')
      .map((part) => part.split('=', 1)[0] ?? '')
      .flatMap((key) => [key, decoded(key)])
  )
  const more = params
    .filter(({ key, enabled }) => enabled && key !== '' && !named.has(key))
    .map(({ key, value }) => `${encoded(fill(key))}=${encoded(sentValue(key, value))}`)
  const all = [...(query.length > 1 ? [query.slice(1)] : []), ...more].join('&')
  return `${base}${all === '' ? '' : `?${all}`}${hash}`
}

/** What stands for a variable in a path, encoded; null where nothing does, or where it is secret and secrets are not filled in. */
function pathValue(name: string, fill: (text: string) => string): string | null {
  const reference = `{{${name}}}`
  const value = fill(reference)
  return value === '' || value === reference ? null : encoded(value)
}

/** A text without halves of characters, which nothing can send. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD')

/** Encoded for a URL; what is masked, and references that nothing fills in, stay readable. */
export const encoded = (text: string): string =>
  text
    .split(/(\{\{[^{}]*\}\}|•+)/)
    .map((part) => (/^(\{\{|•)/.test(part) ? part : encodeURIComponent(wellFormed(part))))
    .join('')
