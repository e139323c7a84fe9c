import type { HubError } from '../errors.js'
import { freeObject } from '../limits.js'
import type { Dialect, Spoken } from './openapi/description.js'
import { named } from './openapi/names.js'

/** How both interfaces call what went wrong, by status. */
const TYPES: Readonly<Record<number, readonly [openai: string, anthropic: string]>> = {
  400: ['invalid_request_error', 'invalid_request_error'],
  401: ['invalid_request_error', 'authentication_error'],
  402: ['insufficient_quota', 'billing_error'],
  403: ['permission_error', 'permission_error'],
  404: ['invalid_request_error', 'not_found_error'],
  413: ['invalid_request_error', 'request_too_large'],
  429: ['rate_limit_error', 'rate_limit_error'],
  503: ['server_error', 'overloaded_error'],
  504: ['server_error', 'timeout_error']
}
const OTHERWISE = ['server_error', 'api_error'] as const

const typesOf = ({ status }: HubError) => TYPES[status] ?? (status < 500 ? TYPES[400] : undefined) ?? OTHERWISE

function dialect(name: string, description: string, refused: Dialect['refused']): Dialect {
  const refusal = named(name, description, freeObject('A refusal.'))
  return { contentType: 'application/json', refusal, refused }
}

/** A refusal as the libraries of OpenAI read it. */
export const OPENAI = dialect(
  'OpenAiError',
  'A refusal, as the libraries of OpenAI read it: `{error: {message, type, param, code}}`. What its provider refuses of a call is told in its words.',
  (refusal) => {
    const { message, status } = refusal
    const [type] = typesOf(refusal)
    const code = refusal.code.replaceAll('-', '_')
    return { status, text: JSON.stringify({ error: { message, type, param: null, code } }) }
  }
)

/** A refusal as the libraries of Anthropic read it. */
export const ANTHROPIC = dialect(
  'AnthropicError',
  'A refusal, as the libraries of Anthropic read it: `{type: "error", error: {type, message}}`. What its provider refuses of a call is told in its words.',
  (refusal) => {
    const { message, status } = refusal
    const [, type] = typesOf(refusal)
    return { status, text: JSON.stringify({ type: 'error', error: { type, message } }) }
  }
)

/** A refusal in the form of whoever asks, where both do: Anthropic's libraries name the version of their interface. */
export const EITHER = dialect(
  'ModelError',
  'A refusal in the form of OpenAI, or with `anthropic-version` in that of Anthropic.',
  (refusal, asked) => (asksAsAnthropic(asked) ? ANTHROPIC : OPENAI).refused(refusal, asked)
)

/** True for a request in Anthropic's interface, or one that says nothing but the version of it. */
export function asksAsAnthropic({ headers, url }: Spoken): boolean {
  return headers['anthropic-version'] !== undefined || /^\/v1\/messages(?![^/?])/.test(url)
}

/** How a request is spoken to that no route is found for; undefined where that is as the hub speaks. */
export function dialectAt({ url }: Pick<Spoken, 'url'>): Dialect | undefined {
  return /^\/v1(?![^/?])/.test(url) ? EITHER : undefined
}

/**
 * The URL of a request as its route has it: programs write the id of a model with the slashes that are in it, and a slash behind
 * the list of all.
 */
export function withModelId(url: string): string {
  const [, id, query = ''] = /^\/v1\/models\/([^?]*)(\?.*)?$/s.exec(url) ?? []
  if (id === undefined) return url
  const rest = id.replace(/\/$/, '').replaceAll('/', '%2F')
  return `/v1/models${rest === '' ? '' : '/'}${rest}${query}`
}
