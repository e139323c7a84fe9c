import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const BROWSER = /^[\w-]{43}$/
/** How much of a hash is enough that nobody guesses it, in characters of six bits: with it a code is as long as an id may be. */
const MAC_CHARACTERS = 20

/** What ties a question to the browser that was led to it: of whoever is handed its address nobody can answer it. */
export interface Browsers {
  /** What a browser is known by, which it keeps as a cookie: what it has sent, or where that is none, a new one. */
  known(cookie: string | null): string
  /** The code under which this browser, and none else, finds the question of this id. */
  codeFor(id: string, browser: string): string
  /** The id of the question that a browser has a code of; null where it is not of this browser. */
  idIn(code: string, browser: string | null): string | null
}

/** Ties with a key that all hubs of a database share. */
export function browsersWith(key: Buffer): Browsers {
  const mac = (id: string, browser: string) =>
    createHmac('sha256', key).update(`browser ${browser} ${id}`).digest('base64url').slice(0, MAC_CHARACTERS)
  return {
    known: (cookie) => (cookie !== null && BROWSER.test(cookie) ? cookie : randomBytes(32).toString('base64url')),
    codeFor: (id, browser) => `${id}.${mac(id, browser)}`,
    idIn(code, browser) {
      const [id = '', given = ''] = code.split('.')
      if (browser === null) return null
      const [sent, own] = [Buffer.from(given), Buffer.from(mac(id, browser))]
      return sent.length === own.length && timingSafeEqual(sent, own) ? id : null
    }
  }
}
