import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { text } from './fields.js'
import type { Address } from './types.js'

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
