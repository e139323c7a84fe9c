import type { Schemas } from '@collections-hub/client'
import { isReference, isSecretName, MASK } from './secrets.js'

type SavedRequest = Schemas['SavedRequest']

/** The request as a command for a shell. Secrets are masked: what is copied is pasted where others read it. */
export function curlOf(request: SavedRequest): string {
  const parts = [`curl ${quoted(urlOf(request))}`]
  if (request.method !== 'GET') parts.push(`-X ${request.method}`)
  for (const { key, value, enabled } of request.headers) {
    if (enabled && key !== '') parts.push(`-H ${quoted(`${key}: ${shown(key, value)}`)}`)
  }
  const { auth, body, bodyType } = request
  if (auth.type === 'bearer') parts.push(`-H ${quoted(`Authorization: Bearer ${shown('token', auth.bearer.token)}`)}`)
  if (auth.type === 'basic')
    parts.push(`-u ${quoted(`${auth.basic.username}:${shown('password', auth.basic.password)}`)}`)
  if (bodyType !== 'none' && body !== '') {
    const hasType = request.headers.some(({ key, enabled }) => enabled && key.toLowerCase() === 'content-type')
    if (bodyType === 'json' && !hasType) parts.push(`-H ${quoted('Content-Type: application/json')}`)
    parts.push(`--data-raw ${quoted(body)}`)
  }
  return parts.join(' \\\n  ')
}

function urlOf({ url, params }: SavedRequest): string {
  const asked = params.filter(({ enabled, key }) => enabled && key !== '')
  if (asked.length === 0) return url
  const query = asked.map(({ key, value }) => `${plain(key)}=${plain(shown(key, value))}`).join('&')
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

/** References to variables stay readable. */
const plain = (text: string) => (/\{\{|•/.test(text) ? text : encodeURIComponent(text))

const shown = (name: string, value: string) =>
  isSecretName(name) && value !== '' && !isReference(value) ? MASK : value

/** For a POSIX shell: nothing inside is expanded. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
