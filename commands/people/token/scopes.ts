import { errors } from '../../../src/errors.js'
import { allows, type Caller, requireChange } from '../../context.js'
import { eachAccessList } from '../user/events.js'

/**
 * What a token may be limited to: to read records, to read and change them, to use models, to be an agent at /mcp, to read what
 * administrators see, and to keep accounts and groups as a directory does.
 */
export const SCOPES = ['read', 'write', 'llm', 'agent', 'admin:read', 'scim'] as const
export type Scope = (typeof SCOPES)[number]

const COLLECTION = 'collection:'
const WORDS = new Set<string>(SCOPES)

/** Refuses with 400 what is no scope (one of the words, or `collection:` with an id), and collections alone: they open nothing. */
export function requireScopes(scopes: readonly string[]): void {
  const unknown = scopes.find((scope) => !WORDS.has(scope) && collectionOf(scope) === null)
  if (unknown !== undefined) throw errors.scopeUnknown(unknown)
  if (!scopes.some((scope) => WORDS.has(scope))) throw errors.scopesEmpty()
}

/** The collections that a token is limited to; null where it is not. */
export function collectionsIn(scopes: readonly string[]): readonly string[] | null {
  const ids = scopes.flatMap((scope) => collectionOf(scope) ?? [])
  return ids.length > 0 ? ids : null
}

function collectionOf(scope: string): string | null {
  return scope.startsWith(COLLECTION) && scope.length > COLLECTION.length ? scope.slice(COLLECTION.length) : null
}

/** True where a token that is limited to these may do what takes a scope; who writes reads too. Null is limited to nothing. */
export function covers(scopes: readonly string[] | null, scope: Scope): boolean {
  return scopes === null || scopes.includes(scope) || (scope === 'read' && scopes.includes('write'))
}

/** True where the token is limited to some collections, and so reaches nothing that is in none of them. */
export function isConfined({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes !== null && collectionsIn(scopes) !== null
}

/** Refuses with 403 a token that is limited to collections, where something is of all that its account has. */
export function requireUnconfined(caller: Pick<Caller, 'scopes'>): void {
  if (isConfined(caller)) throw errors.ofAllCollections()
}

/**
 * True for a run result that names this collection as its own, or none. Every user may read any, but a token that is limited to
 * collections reaches what is of one of them that the account may see, and nothing without a collection.
 */
export function reachesRun(caller: Caller, collectionId: string | null): boolean {
  return !isConfined(caller) || (collectionId !== null && allows(caller.collectionAccess, collectionId))
}

/** Refuses a token whose collections the run result is not of. */
export function requireRun(caller: Caller, collectionId: string | null): void {
  if (!reachesRun(caller, collectionId)) throw errors.forbidden()
}

/** Refuses a token that may not change what is in the collection of the run result. */
export function requireRunChange(caller: Caller, collectionId: string | null): void {
  requireRun(caller, collectionId)
  if (isConfined(caller) && collectionId !== null) requireChange(caller, collectionId)
}

/** The account as its token has it: of records what is in its collections, where it names some. */
export function cutToScopes(caller: Caller): Caller {
  const only = caller.scopes && collectionsIn(caller.scopes)
  if (!only) return caller
  const { collectionAccess } = caller
  const open = collectionAccess.includes('*') ? only : only.filter((id) => collectionAccess.includes(id))
  return { ...caller, ...eachAccessList<readonly string[]>([]), collectionAccess: open }
}
