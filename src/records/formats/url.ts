import type { KeyValue, RequestFields } from './model.js'

/** A part of a query. It is bare where not even an equals sign stands behind its name, which servers may tell apart. */
export interface QueryRow extends KeyValue {
  readonly isBare?: boolean
}

/** The parts of a URL as it stands, with its variables, and nothing decoded. */
export interface UrlParts {
  readonly base: string
  readonly query: readonly QueryRow[]
  /** With its `#`; empty where there is none. */
  readonly hash: string
}

/** Takes a URL apart without changing what is in it. */
export function urlParts(url: string): UrlParts {
  const [rest = '', ...hashes] = url.split('#')
  const hash = hashes.length > 0 ? `#${hashes.join('#')}` : ''
  const at = rest.indexOf('?')
  if (at < 0) return { base: rest, query: [], hash }
  return { base: rest.slice(0, at), query: queryRows(rest.slice(at + 1)), hash }
}

/** The variables in the path of a URL (`/:id`), with what each stands for: the variable of its name. */
export const pathRows = (base: string): readonly KeyValue[] =>
  [...base.matchAll(/(?<=\/):([\p{L}\p{N}_][\p{L}\p{N}_-]*)(?=\/|$)/gu)].map(([, key = '']) => ({
    key,
    value: `{{${key}}}`,
    enabled: true
  }))

/** The rows of a query string, nothing decoded. */
export function queryRows(query: string): readonly QueryRow[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0
        ? { key: part, value: '', enabled: true, isBare: true }
        : { key: part.slice(0, at), value: part.slice(at + 1), enabled: true }
    })
}

/** A query string of rows that stand in it as they are. */
export function queryText(rows: readonly QueryRow[]): string {
  return rows.map(({ key, value, isBare }) => (isBare ? key : `${key}=${value}`)).join('&')
}

/** A URL of its parts. Rows that are not enabled are left out. */
export function urlText({ base, query, hash }: UrlParts): string {
  const text = queryText(query.filter(({ enabled }) => enabled))
  return `${base}${text === '' ? '' : `?${text}`}${hash}`
}

/**
 * The URL of a request with all that it sends in its query, and what it would send if it were enabled: the query of its URL, then the
 * rows of its parameters that the URL does not have already. What is enabled is encoded, as it stands in a URL; the others are as they were
 * typed.
 */
export function sentUrl({ url, params }: Pick<RequestFields, 'url' | 'params'>): UrlParts {
  const { base, query, hash } = urlParts(url)
  const named = new Set(query.flatMap(({ key }) => [key, decodedText(key)]))
  const added = params.filter(({ key, enabled }) => key !== '' && !(enabled && named.has(key)))
  const sent = (row: KeyValue) => ({ ...row, key: encodedText(row.key), value: encodedText(row.value) })
  return { base, query: [...query, ...added.map((row) => (row.enabled ? sent(row) : row))], hash }
}

const WHOLE_VARIABLE = /\{\{[^{}]*\}\}/

/** A text encoded for a URL or a form, with its variables as they are. */
export function encodedText(text: string): string {
  return text
    .split(new RegExp(`(${WHOLE_VARIABLE.source})`))
    .map((part) => (WHOLE_VARIABLE.test(part) ? part : encodeURIComponent(part.toWellFormed())))
    .join('')
}

/** What an encoded text stands for; as it is where its encoding is none. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
