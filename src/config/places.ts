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
