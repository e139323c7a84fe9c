const MASK = '[redacted]'

/** Names under which people put secrets into query strings, whatever stands before them: `access_token`, `apiKey`. */
const SECRET_NAME = /(?:token|ticket|secret|code|key|password|passwd|authorization|auth|credential|signature)$/i
/** A secret of the hub's own: a token, an invitation or a ticket. */
const SECRET_TEXT = /hb[kit]_[^/?#&;=\s]+/gi
/** What stands behind these in a path is a code, which somebody may answer or go on with. */
const BEFORE_CODE = /^(\/auth\/questions|\/oauth\/authorize)\/.+/

/**
 * A URL as a log may show it: without the values of query keys that are named like secrets, codes in a path, and anything that looks
 * like a token, an invitation or a ticket, in whatever part, percent-encoded or not.
 */
export function maskedUrl(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return maskedPath(url)
  const query = url.slice(at + 1).split(/([&;])/)
  return `${maskedPath(url.slice(0, at))}?${query.map(maskedPair).join('')}`
}

function maskedPath(path: string): string {
  const before = BEFORE_CODE.exec(path)?.[1]
  if (before !== undefined) return `${before}/${MASK}`
  return path.split('/').map(masked).join('/')
}

function maskedPair(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0) return masked(pair)
  const name = pair.slice(0, at)
  const isSecret = SECRET_NAME.test(decoded(name))
  return `${masked(name)}=${isSecret ? MASK : masked(pair.slice(at + 1))}`
}

/** The text as it came, unless a secret is in it, seen or encoded. */
function masked(text: string): string {
  const plain = decoded(text)
  return plain.search(SECRET_TEXT) < 0 ? text : plain.replace(SECRET_TEXT, MASK)
}

/** With what is ASCII decoded: names and secrets are. */
function decoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
