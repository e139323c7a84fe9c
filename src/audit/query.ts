import { STREAM_KINDS } from '../../commands/index.js'
import { nameKey } from '../../projections/nameKey.js'
import { usersTable } from '../../projections/users.js'
import { errors } from '../errors.js'
import type { Moment } from '../log/moment.js'
import type { LogQuery } from '../log/search.js'
import type { ReadStore } from '../storage/storage.js'

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
      ? { streams: (kind === undefined ? STREAM_KINDS : [kind, 'audit']).map((one) => `${one}-${id}`) }
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
export async function accountId(actor: string, view: ReadStore): Promise<string> {
  if (await view.get(usersTable, actor)) return actor
  const named = await view.list(usersTable, 'byNameKey', [nameKey(actor)], { limit: NAMESAKES_MAX, body: false })
  const found = named.find(({ name }) => name === actor) ?? named[0]
  if (!found) return actor
  if (found.name !== actor && named.length > 1)
    throw errors.invalid(`Several accounts go by this name: ${named.map(({ id }) => id).join(', ')}. Give an id.`)
  return found.id
}
