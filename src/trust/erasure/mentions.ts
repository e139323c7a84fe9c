import { codec } from '../../../commands/index.js'
import { nameKey } from '../../../commands/keys.js'
import { auditEvents } from '../../../commands/log/audit/events.js'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import type { Ledger } from '../../ledger/ledger.js'
import { decoded, decodedIdentity } from '../../log/codec.js'
import type { EventHeader, StoredEvent } from '../../log/event.js'
import { eventsOf } from '../../log/logQuery.js'
import { eventsAt, newestFirst } from '../../log/pages.js'
import { ipv4Of } from '../../net/address.js'
import { nameGivenBy } from '../audit/formerNames.js'

/** What tells who somebody is. */
export interface Identity {
  readonly id: string
  readonly names: ReadonlySet<string>
  readonly addresses: ReadonlySet<string>
}

/** An event of which the sealed part goes. */
export type Mention = Pick<StoredEvent, 'position' | 'actorId'>

/** Events in which somebody else mentions a person: in their sealed part, or as the first versions did, in the payload. */
export interface Mentions {
  readonly sealed: readonly Mention[]
  /** The positions of these. */
  readonly payloads: readonly number[]
}

/** Who an account was, by the events of its stream and those in which it acted. */
export function identityOf(id: string) {
  const names = new Set<string>()
  const addresses = new Set<string>()
  return {
    id,
    names,
    addresses,
    isNamedBy(event: StoredEvent): void {
      const name = nameGivenBy(event)
      if (name !== undefined) names.add(name)
    },
    hasActedIn(event: StoredEvent): void {
      const { name, address } = decodedIdentity(event)
      if (name !== null) names.add(name)
      if (address !== null) addresses.add(address)
    }
  }
}

/**
 * Where administrators searched the log for a person, or for an address from which they came, and where a command on the host
 * was given by somebody of their name.
 */
export async function mentionsOf(ledger: Ledger, who: Identity): Promise<Mentions> {
  const isAbout = mentioning(who)
  const sealed: Mention[] = []
  const payloads: number[] = []
  for await (const event of eventsOf(ledger, { filter: { types: ['AuditRead'] } })) {
    const { searched = {} } = decodedIdentity(event)
    const { data } = decoded(event, codec)
    const filter = event.payload.text === null ? {} : auditEvents.AuditRead.data.parse(data).filter
    // Its id stays: it says no more than that of an actor does.
    const isById = filter.actor === who.id
    if (Object.keys(searched).length > 0 && (isById || Object.values(searched).some(isAbout)))
      sealed.push(mentionOf(event))
    if (!isById && Object.values(filter).some(isAbout)) payloads.push(event.position)
  }
  for await (const event of eventsOf(ledger, { filter: { actorId: SYSTEM_ID } })) {
    const { operator } = decodedIdentity(event)
    if (operator && isAbout(operator.user)) sealed.push(mentionOf(event))
  }
  return { sealed, payloads }
}

/** Events of a stream that the hub itself has made for somebody at an address: as they signed in, or redeemed an invitation. */
export async function letInBy({ storage }: Pick<Ledger, 'storage'>, stream: string): Promise<readonly Mention[]> {
  const { position: through } = await storage.head()
  const own: EventHeader[] = []
  for await (const header of newestFirst(storage, { streams: [stream] }, { after: 0, through }))
    if (header.actorId === SYSTEM_ID && !header.whoErased) own.push(header)
  const found: Mention[] = []
  for await (const event of eventsAt(storage, own))
    if (decodedIdentity(event).address !== null) found.push(mentionOf(event))
  return found
}

function mentionOf({ position, actorId }: StoredEvent): Mention {
  return { position, actorId }
}

/** Tells whether a text has one of these names as a word, or is one of these addresses. */
function mentioning({ names, addresses }: Identity): (text: string) => boolean {
  const keys = [...names].map(nameKey).filter((key) => key !== '')
  const words = keys.map((key) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(key)}(?![\\p{L}\\p{N}])`, 'u'))
  const places = new Set([...addresses].map(written))
  return (text) => places.has(written(text)) || words.some((word) => word.test(nameKey(text)))
}

function written(address: string): string {
  return ipv4Of(address) ?? address.toLowerCase()
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
