import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { text } from './fields.js'
import type { Address, TlsConfig } from './types.js'

const HOST_PORT = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@,[\]]+))(?::(\d{1,5}))?$/i

/** The place that a text as `db.example.com:5432` or `[::1]:5432` names, or null where it names none. */
export function addressIn(given: string, usualPort: number): Address | null {
  const [, v6, name, digits] = HOST_PORT.exec(given) ?? []
  const host = v6 ?? name
  const port = digits === undefined ? usualPort : Number(digits)
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port }
}

/** A place as `addressIn` reads it. */
export function addressText({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** At least one place, each as `host:port` or `host`. */
export const addresses = (usualPort: number) =>
  z
    .array(
      text().transform((given, context): Address => {
        const address = addressIn(given, usualPort)
        if (address !== null) return address
        context.addIssue(`Must be host:port, such as db.example.com:${usualPort} or [::1]:${usualPort}.`)
        return z.NEVER
      })
    )
    .min(1, 'Must name at least one server.')
    .max(LIMITS.serverPlaces.max, `Must name at most ${LIMITS.serverPlaces.max} servers.`)

/** What a URL says of a server; a part that is not in it is undefined. */
export interface PlaceUrl {
  readonly scheme: string
  /** At least one. */
  readonly places: readonly Address[]
  readonly user?: string
  readonly password?: string
  /** Behind the slash, without it. */
  readonly path?: string
  /** What stands behind a question mark. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

const PARTS = /^([a-z]+):\/\/(?:(.*)@)?([^/?#@]*)(?:\/([^?#]*))?([?#].*)?$/i

/**
 * The URL of a server, its parts decoded. No message quotes it: there may be a password in it. `example` shows how one looks.
 */
export const placeUrl = (schemes: readonly string[], usualPort: number, example: string) =>
  z
    .string()
    .trim()
    .transform((given, context): PlaceUrl => {
      const refuse = (message: string) => {
        context.addIssue(message)
        return z.NEVER
      }
      const [, scheme, userinfo, hosts = '', path, rest] = PARTS.exec(given) ?? []
      if (scheme === undefined || !schemes.includes(scheme.toLowerCase())) return refuse(`Must be a URL as ${example}.`)
      if (rest?.includes('#')) return refuse('Must have a # written as %23.')
      const places = hosts.split(',').map((host) => placeIn(host, usualPort))
      if (!places.every((place) => place !== null)) return refuse(`Must name a host and its port: ${example}.`)
      if (places.length > LIMITS.serverPlaces.max)
        return refuse(`Must name at most ${LIMITS.serverPlaces.max} servers.`)
      const [user, ...password] = (userinfo ?? '').split(':')
      const parts = { user, password: password.join(':'), path }
      const texts = Object.entries(parts).flatMap(([name, part]) => (part ? [[name, decoded(part)] as const] : []))
      if (texts.some(([, part]) => part === null))
        return refuse('Must have a % in a user name or password written as %25.')
      return {
        scheme: scheme.toLowerCase(),
        places,
        parameters: [...new URLSearchParams(rest)],
        ...Object.fromEntries(texts)
      }
    })

/** The path of a socket has its slashes as %2F. */
function placeIn(text: string, usualPort: number): Address | null {
  const place = addressIn(text, usualPort)
  if (place === null) return null
  const host = decoded(place.host)
  return host === null ? null : { host, port: place.port }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** What a URL says of encryption, or what is wrong with what it says. */
export type Understood = { readonly tls: TlsConfig | undefined } | { readonly refusal: string }

/** Parameters by which clients of databases are told to encrypt, and what they say. */
const SWITCHES = ['sslmode', 'ssl', 'ssl-mode', 'tls', 'usessl']
const ON = ['require', 'required', 'verify-ca', 'verify_ca', 'verify-full', 'verify_identity', 'true', '1']
const OFF = ['disable', 'disabled', 'false', '0']

/** Other parameters, and the key that stands for each here. */
const KEYS: Readonly<Record<string, string>> = {
  ...{ sslrootcert: 'db.tls.ca', 'ssl-ca': 'db.tls.ca', sslca: 'db.tls.ca' },
  ...{ sslcert: 'db.tls.cert', 'ssl-cert': 'db.tls.cert', sslkey: 'db.tls.key', 'ssl-key': 'db.tls.key' },
  ...{ sslsni: 'db.tls.servername', rejectunauthorized: 'db.tls.rejectUnauthorized' },
  ...{ connect_timeout: 'db.connectTimeoutMs', connecttimeout: 'db.connectTimeoutMs' },
  ...{ connection_limit: 'db.poolSize', pool_max: 'db.poolSize', max: 'db.poolSize', connectionlimit: 'db.poolSize' },
  ...{ statement_timeout: 'db.statementTimeoutMs', target_session_attrs: 'db.targetSessionAttrs' },
  ...{ host: 'db.host', port: 'db.port', user: 'db.user', password: 'db.password', dbname: 'db.database' }
}

/**
 * What the parameters of a database's URL mean here: one that wants encryption gets it, with a verified certificate, and the others
 * are refused with the key that stands for them. A refusal quotes names alone.
 */
export function understood(parameters: PlaceUrl['parameters']): Understood {
  let tls: TlsConfig | undefined
  for (const [name, value] of parameters) {
    const known = name.toLowerCase()
    const wanted = value.toLowerCase()
    if (!SWITCHES.includes(known)) return { refusal: `${name} has ${instead(KEYS[known])}.` }
    if (ON.includes(wanted)) tls = { rejectUnauthorized: true }
    else if (!OFF.includes(wanted))
      return { refusal: `${name} must say require or disable here; db.tls says the rest: true encrypts and verifies.` }
  }
  return { tls }
}

function instead(key: string | undefined): string {
  return key === undefined ? 'no meaning in the URL here: leave it out' : `a key of its own here: write ${key}`
}
