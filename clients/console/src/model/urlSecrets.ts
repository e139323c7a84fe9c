import { isReference, isSecretValue, MASK } from './secrets.js'

/** What stands before a password in a URL, and the password: whatever is behind the first colon and before the last `@` of its host. */
const PASSWORD = /^((?:[^/?#]*:\/\/)?[^/?#:]*:)([^/?#]*)(?=@)/
const QUERY = /(?<=^[^?#]*\?)[^#]*/

/** What a part of a query stands for; as it is where its encoding is none, or where a variable stands in it. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/**
 * A URL with what nobody should read over a shoulder masked: the password before its host, and the values in its query whose names say
 * so. `written` is the same URL before its variables were filled in: where that has nothing but references, what they stand for stays.
 */
export function urlMasked(url: string, written = url): string {
  const isOpen = isReference(PASSWORD.exec(written)?.[2] ?? '')
  const before = isOpen ? url : url.replace(PASSWORD, (_, user: string, password: string) => user + masked(password))
  const pairs = (QUERY.exec(written)?.[0] ?? '').split('&').map(pairOf)
  const isReferred = (wanted: string) => {
    const found = pairs.filter(({ key }) => key === wanted)
    return found.length > 0 && found.every(({ value }) => isReference(value))
  }
  return before.replace(QUERY, (query) =>
    query
      .split('&')
      .map((raw) => {
        const pair = pairOf(raw)
        return isSecretValue(pair) && !isReferred(pair.key) ? `${raw.slice(0, raw.indexOf('='))}=${MASK}` : raw
      })
      .join('&')
  )
}

const masked = (password: string) => (password === '' || isReference(password) ? password : MASK)

function pairOf(raw: string) {
  const [key = '', ...value] = raw.split('=')
  return { key: decoded(key), value: decoded(value.join('=')) }
}
