import { codec, STREAM_KINDS } from '../../../commands/index.js'
import { nameKey } from '../../../projections/keys.js'
import { usersTable } from '../../../projections/users.js'
import { errors } from '../../errors.js'
import type { LogQuery, Moment } from '../../log/logQuery.js'
import type { ReadStore } from '../../storage/storage.js'

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
    else if (value !== undefined && tellsNobody(name, value)) filter[name] = value
    else if (value !== undefined && value !== account) searched[name] = value
  }
  if (account !== null) filter.actor = account
  return { filter, searched }
}

function tellsNobody(name: string, value: string): boolean {
  return name === 'kind' || (name === 'type' && codec.knows(value)) || (name !== 'type' && UUID.test(value))
}
