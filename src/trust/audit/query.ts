import { codec, STREAM_KINDS } from '../../../commands/index.js'
import { nameKey } from '../../../commands/keys.js'
import { auditEvents } from '../../../commands/log/audit/events.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { errors } from '../../errors.js'
import { canonicalJson } from '../../log/canonical.js'
import { decoded, decodedIdentity } from '../../log/codec.js'
import type { LogQuery, Moment } from '../../log/logQuery.js'
import { WHOLE_LOG } from '../../storage/search.js'
import type { ReadStore, Storage } from '../../storage/storage.js'

/** What an administrator looks for in the log. All that is given must hold. */
export interface AuditQuery {
  /** The id of an account: see `accountId`. */
  readonly actor?: string | undefined
  /** The id of a token. */
  readonly token?: string | undefined
  /** A type of event. */
  readonly type?: string | undefined
  /** One of `STREAM_KINDS`. */
  readonly kind?: string | undefined
  readonly id?: string | undefined
  readonly address?: string | undefined
  readonly request?: string | undefined
  /** The first and the last moment, both included. */
  readonly from?: Moment | undefined
  readonly to?: Moment | undefined
}

/** The query that finds it in the log. */
export function logQueryOf({ from, to, ...query }: AuditQuery): LogQuery {
  const { actor: actorId, token: tokenId, type, kind, id, address, request: requestId } = query
  const resource =
    id !== undefined
      ? { streams: (kind === undefined ? STREAM_KINDS : [kind, 'audit', 'erasure']).map((one) => `${one}-${id}`) }
      : { streamPrefix: kind && `${kind}-` }
  const types = type === undefined ? undefined : [type]
  return { filter: { actorId, tokenId, types, address, requestId, ...resource }, from, to }
}

/** Older logs hold accounts that go by one name; there are few of them. */
const NAMESAKES_MAX = 100

/**
 * The id of an account that somebody names by its id or by the name that it has now. Ids come first: nobody hides behind
 * the id of another by taking it for a name. What is neither is taken for the id of an account that is gone. 400 for a name
 * by which several accounts go, unless it is exactly that of one.
 */
export async function accountId(actor: string, readModel: ReadStore): Promise<string> {
  if (await readModel.get(usersTable, actor)) return actor
  const named = await readModel.list(usersTable, 'byNameKey', [nameKey(actor)], { limit: NAMESAKES_MAX, body: false })
  const found = named.find(({ name }) => name === actor) ?? named[0]
  if (!found) return actor
  if (found.name !== actor && named.length > 1) throw errors.nameAmbiguous(named.map(({ id }) => id))
  return found.id
}

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
    else if (value !== undefined && isNoName(name, value)) filter[name] = value
    else if (value !== undefined && value !== account) searched[name] = value
  }
  if (account !== null) filter.actor = account
  return { filter, searched }
}

function isNoName(name: string, value: string): boolean {
  return name === 'kind' || (name === 'type' && codec.knows(value)) || (name !== 'type' && UUID.test(value))
}

/** What asks the same within this time is one look at the log. */
const LOOK_MS = 600_000
/** Among so many last events of a token its last questions are looked for. */
const RECENT = 16

/** True where the log has it that a token has asked this a short time ago. */
export async function isAskedAlready(
  storage: Pick<Storage, 'searchLog' | 'readAt'>,
  tokenId: string,
  { filter, searched }: Asked,
  now: number
): Promise<boolean> {
  const since = new Date(now - LOOK_MS).toISOString()
  const last = await storage.searchLog({ tokenId }, WHOLE_LOG, RECENT, true)
  const reads = last.filter(({ type, at }) => type === 'AuditRead' && at >= since)
  if (reads.length === 0) return false
  const wanted = canonicalJson({ filter, searched })
  const events = await storage.readAt(reads.map(({ position }) => position).sort((a, b) => a - b))
  return events.some((event) => {
    const told = auditEvents.AuditRead.data.safeParse(decoded(event, codec).data)
    const { searched = {} } = decodedIdentity(event)
    return told.success && canonicalJson({ filter: told.data.filter, searched }) === wanted
  })
}
