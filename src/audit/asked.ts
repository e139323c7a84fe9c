import { codec } from '../../commands/index.js'
import type { AuditQuery } from './query.js'

/** A question to the log, as it is kept: `filter` says nothing about a person, `searched` may. */
export interface Asked {
  readonly filter: Readonly<Record<string, string>>
  readonly searched: Readonly<Record<string, string>>
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Takes a question apart, for the event that says it was asked. Names and addresses are sealed with the name of who asked, where
 * an erasure reaches them, and so is every text that might be one since it has no form of its own. `account` is the id of the
 * account that `actor` named, null where there is none; `address` is what the log may keep of the address.
 */
export function askedOf(wanted: AuditQuery, account: string | null, address: string | null): Asked {
  const filter: Record<string, string> = {}
  const searched: Record<string, string> = {}
  for (const [name, value] of Object.entries(wanted)) {
    if (typeof value === 'object') filter[name] = Object.values(value).join('')
    else if (name === 'address') Object.assign(searched, address !== null && { address })
    else if (value !== undefined && tellsNobody(name, value)) filter[name] = value
    else if (value !== undefined && value !== account) searched[name] = value
  }
  if (account !== null) filter.actor = account
  return { filter, searched }
}

function tellsNobody(name: string, value: string): boolean {
  return name === 'kind' || (name === 'type' && codec.knows(value)) || (name !== 'type' && UUID.test(value))
}
