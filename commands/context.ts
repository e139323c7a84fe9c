import { errors } from '../src/errors.js'
import type { NewEvent } from '../src/log/event.js'
import type { OrderedReads } from '../src/readmodel/sequence.js'
import type { Row } from '../src/storage/storage.js'
import type { Account } from './people/user/events.js'

/** The account behind a request, as it is at the moment of the decision. */
export type Caller = {
  readonly [K in keyof Account]: Account[K] extends string[] ? readonly string[] : Account[K]
} & {
  readonly userId: string
  readonly tokenId: string | null
  /** What the token is limited to; null for all that the account may. */
  readonly scopes: readonly string[] | null
  /** The ids of what the account may see and not change. */
  readonly viewed: readonly string[]
  /** The ids of the groups that the account is in, some of which may be gone; left out where it is in none. */
  readonly groups?: readonly string[]
}

/** What a decision may look at. `read` answers from the moment that the commit will guard. */
export interface Context {
  readonly caller: Caller
  readonly read: OrderedReads
  /** The time of the decision, ISO 8601. */
  readonly now: string
  /** Ids of the models on offer; null where no LLM is configured and any id is taken as it is. */
  readonly models: ReadonlySet<string> | null
}

/** What a command comes to. Its refusal is an error of the catalogue, thrown at once or when it is awaited. */
export type Decision = readonly NewEvent[] | Promise<readonly NewEvent[]>

export type Decider<C> = (command: C, context: Context) => Decision

/** What decides on each of these types of command. */
export type Deciders<C extends { readonly type: string }> = {
  readonly [T in C['type']]: Decider<Extract<C, { type: T }>>
}

/** True when the access list holds the id or the wildcard. */
export function allows(access: readonly string[], id: string): boolean {
  return access.includes('*') || access.includes(id)
}

/** Refuses anyone but an administrator. */
export function requireAdmin({ role }: Caller): void {
  if (role !== 'admin') throw errors.forbidden()
}

/** Refuses anyone but an administrator of all or of accounts alone. */
export function requireAccountAdmin({ role }: Caller): void {
  if (role !== 'admin' && role !== 'accountAdmin') throw errors.forbidden()
}

/** Refuses administrators: entities are changed by user accounts only (section 5, Roles). */
export function requireUser({ role }: Caller): void {
  if (role !== 'user') throw errors.forbidden()
}

/** Refuses a user account that may not see the collection. */
export function requireSight(caller: Caller, collectionId: string): void {
  requireUser(caller)
  if (!allows(caller.collectionAccess, collectionId)) throw errors.forbidden()
}

/** Refuses a user account that may not change the collection and what is in it. */
export function requireCollection(caller: Caller, collectionId: string): void {
  requireSight(caller, collectionId)
  requireChange(caller, collectionId)
}

/** Refuses who may see a record, or the collection that holds it, and not change it. */
export function requireChange({ viewed }: Caller, id: string): void {
  if (viewed.includes(id)) throw errors.viewerOnly()
}

/** Revisions of a record that the client's `If-Match` accepts; undefined accepts any. */
export type ExpectedRevisions = readonly number[] | undefined

/** Refuses with 412 when the record has come to a revision that the client does not expect. */
export function requireRevision(row: Row, expected: ExpectedRevisions): void {
  if (expected && !expected.includes(row.revision)) throw errors.changed()
}
