import { HUB_ID } from '../../../commands/tenants/hub/events.js'
import { tenantIdRefusal } from '../../../commands/tenants/tenant/id.js'

/** What an invite link says about itself. Nobody vouches for any of it: whoever made the link wrote it. */
export interface Invite {
  readonly name: string
  readonly role: 'admin' | 'user'
  /** ISO 8601, as the link has it. */
  readonly expires: string
  readonly hub: string
  /** Null where the link names no http or https address. */
  readonly server: string | null
  readonly access: string | null
  /** The tenant whose invitation it is; null where that is the hub itself. */
  readonly tenant: string | null
}

const DEFAULT_HUB = 'Collections Hub'
const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/
const ZONELESS = /T[\d:.]+$/

/** Reads the query string of an invite link; null where it is none that a client would accept. */
export function readInvite(query: string): Invite | null {
  const given = new URLSearchParams(query)
  const text = (key: string) => given.get(key)?.trim() || null
  const [name, role, expires] = [text('name'), text('role'), timeOf(text('exp'))]
  if (name === null || expires === null || (role !== 'admin' && role !== 'user')) return null
  return {
    name,
    role,
    expires,
    hub: text('hub') ?? DEFAULT_HUB,
    server: webAddress(text('url')),
    access: text('access'),
    tenant: tenantIn(text('tenant'))
  }
}

function timeOf(text: string | null): string | null {
  if (text === null || !ISO_8601.test(text)) return null
  // Without a zone it would mean another moment here than in the browser.
  const time = ZONELESS.test(text) ? `${text}Z` : text
  return Number.isNaN(Date.parse(time)) ? null : time
}

function tenantIn(text: string | null): string | null {
  return text === null || text === HUB_ID || tenantIdRefusal(text) ? null : text
}

function webAddress(text: string | null): string | null {
  if (text === null || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  // Not by a pattern: those take quadratic time on many slashes that are not at the end.
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
