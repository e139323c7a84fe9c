import { errors } from '../../../src/errors.js'
import type { Caller } from '../../context.js'
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

/** The account as its token has it: of records what is in its collections, where it names some. */
export function cutToScopes(caller: Caller): Caller {
  const only = caller.scopes && collectionsIn(caller.scopes)
  if (!only) return caller
  const { collectionAccess } = caller
  const open = collectionAccess.includes('*') ? only : only.filter((id) => collectionAccess.includes(id))
  return { ...caller, ...eachAccessList<readonly string[]>([]), collectionAccess: open }
}
