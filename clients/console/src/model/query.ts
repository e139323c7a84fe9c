import type { KeyValue } from './forms.js'
import { encoded } from './sent.js'
import { decoded } from './urlSecrets.js'

/** A URL in parts, as they stand in it: `query` without its question mark. */
function partsOf(url: string) {
  const [, base = '', query, hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  return { base, query: query ?? null, hash }
}

function pairsOf(query: string | null) {
  return (query ?? '')
    .split('&')
    .filter((part) => part !== '')
    .map((raw) => {
      const at = raw.indexOf('=')
      const [key, value] = at < 0 ? [raw, ''] : [raw.slice(0, at), raw.slice(at + 1)]
      return { key: decoded(key), value: decoded(value), raw }
    })
}

/** The parameters of a request whose URL was changed: those that stood in it are what stands in it now, the others stay. */
export function paramsFor(params: readonly KeyValue[], from: string, to: string): readonly KeyValue[] {
  const [before, after] = [partsOf(from).query, partsOf(to).query]
  if (before === after) return params
  const inUrl = new Set<KeyValue>()
  for (const { key, value } of pairsOf(before)) {
    const row = params.find((one) => one.enabled && one.key === key && one.value === value && !inUrl.has(one))
    if (row) inUrl.add(row)
  }
  const at = params.findIndex((row) => inUrl.has(row))
  const others = params.filter((row) => !inUrl.has(row))
  const pairs = pairsOf(after)
  const rows = pairs.map(({ key, value }) => ({ key, value, enabled: true }))
  const typed = new Set(pairs.filter(({ raw }) => raw.includes('=')).map(({ key }) => key))
  // One that was typed into the URL is no second one. Before its value is begun, the name may be the beginning of another.
  const left = others.filter(({ key, enabled }) => !(enabled && typed.has(key)))
  return left.toSpliced(at < 0 ? left.length : at, 0, ...rows)
}

/** The URL of a request whose parameters were changed: those that are on stand in it, and what it alone has stays. */
export function urlFor(url: string, from: readonly KeyValue[], to: readonly KeyValue[]): string {
  const { base, query, hash } = partsOf(url)
  const listed = new Set(from.filter(({ enabled }) => enabled).map(({ key }) => key))
  const own = pairsOf(query).filter(({ key }) => !listed.has(key))
  const rows = to.filter(({ key, enabled }) => enabled && key !== '')
  const text = [
    ...own.map(({ raw }) => raw),
    ...rows.map(({ key, value }) => (value === '' ? encoded(key) : `${encoded(key)}=${encoded(value)}`))
  ].join('&')
  return `${base}${text === '' ? '' : `?${text}`}${hash}`
}

/**
 * The URL of a form that was put together of two: what stands in it and as a row, with another value each, has the value of the row.
 * So what somebody chose for a parameter is what is sent.
 */
export function inStep<F extends { readonly url?: string; readonly params?: readonly KeyValue[] }>(form: F): F {
  const { url, params } = form
  if (url === undefined || params === undefined) return form
  const { base, query, hash } = partsOf(url)
  if (query === null) return form
  const rows = params.filter(({ enabled }) => enabled)
  const pairs = pairsOf(query)
  const only = <T extends { readonly key: string }>(all: readonly T[], wanted: string): T | undefined => {
    const found = all.filter(({ key }) => key === wanted)
    return found.length === 1 ? found[0] : undefined
  }
  const text = pairs.map((pair) => {
    const row = only(pairs, pair.key) && only(rows, pair.key)
    return row && row.value !== pair.value ? `${encoded(row.key)}=${encoded(row.value)}` : pair.raw
  })
  return { ...form, url: `${base}?${text.join('&')}${hash}` }
}
