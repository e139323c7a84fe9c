import { isReference, isSecretValue, MASK } from './secrets.js'

/** What stands before a password in a URL, and the password: whatever is behind the first colon and before the last `@` of its host. */
const PASSWORD = /^((?:[^/?#]*:\/\/)?[^/?#:]*:)([^/?#]*)(?=@)/
/** A name and its value in a query, or in the fragment of a URL, which may be a path with a query of its own. */
const PAIR = /([?&#])([^=&?#]*)=([^&#]*)/g

/** A text without its encoding for URLs; as it is, or as is said, where that is none: somebody cut it off, or mistyped it. */
export function percentDecoded(text: string, otherwise = text): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return otherwise
  }
}

/** What a part of a query stands for; as it is where its encoding is none, or where a variable stands in it. */
export const decoded = (text: string): string => percentDecoded(text.replaceAll('+', ' '), text)

/**
 * A URL with what nobody should read over a shoulder masked: the password before its host, and the values in its query and fragment
 * whose names say so. `written` is the same URL before its variables were filled in: where that has nothing but references, what they
 * stand for stays.
 */
export function urlMasked(url: string, written = url): string {
  const isOpen = isReference(PASSWORD.exec(written)?.[2] ?? '')
  const before = isOpen ? url : url.replace(PASSWORD, (_, user: string, password: string) => user + masked(password))
  /** Whether all values that a name has in it are references. */
  const isReferred = new Map<string, boolean>()
  for (const [, , name = '', text = ''] of written.matchAll(PAIR)) {
    const { key, value } = pairOf(name, text)
    isReferred.set(key, isReferred.get(key) !== false && isReference(value))
  }
  return before.replace(PAIR, (all, sign: string, name: string, value: string) => {
    const pair = pairOf(name, value)
    return isSecretValue(pair) && !isReferred.get(pair.key) ? `${sign}${name}=${MASK}` : all
  })
}

/** Whether a value is a URL with something in it that nobody should read over a shoulder. */
export const isSecretUrl = (value: string): boolean => /^[a-z][\w+.-]*:\/\//i.test(value) && urlMasked(value) !== value

/** Two states of a URL as they may be compared; null where they differ in nothing but what is masked. */
export function urlsMasked(from: string, to: string): { readonly from: string; readonly to: string } | null {
  const both = { from: urlMasked(from), to: urlMasked(to) }
  return both.from === both.to && from !== to ? null : both
}

const masked = (password: string) => (password === '' || isReference(password) ? password : MASK)

const pairOf = (key: string, value: string) => ({ key: decoded(key), value: decoded(value) })
