import { collectionKind } from './collection/kind.js'
import { documentKind } from './document/kind.js'
import { environmentKind } from './environment/kind.js'
import { folderKind } from './folder/kind.js'
import type { LockableKind, MemberKind, RecordKind } from './kind.js'
import { requestKind } from './request/kind.js'
import { snippetKind } from './snippet/kind.js'

/** Every kind of record. What may be in another comes behind it. A new kind is one more line here. */
const all = {
  collection: collectionKind,
  environment: environmentKind,
  snippet: snippetKind,
  folder: folderKind,
  request: requestKind,
  document: documentKind
} as const

type All = typeof all
export type RestorableKind = keyof All
/** The kinds of record that a collection holds. */
export type Member = { [K in RestorableKind]: All[K]['isMember'] extends true ? K : never }[RestorableKind]
/** The kinds of record that stand on their own. */
export type Lockable = Exclude<RestorableKind, Member>

/** A record as it was before its deletion, as the event that brings it back. */
export type Restorable<K extends RestorableKind = RestorableKind> = { [P in K]: ReturnType<All[P]['restorable']> }[K]

type Restoring<F extends RecordKind, K extends RestorableKind> = Omit<F, 'restorable'> & {
  restorable(...given: Parameters<F['restorable']>): Restorable<K>
}
type Kinds = {
  readonly [K in Lockable]: Restoring<LockableKind, Lockable>
} & { readonly [K in Member]: Restoring<MemberKind, Member> }

export const kinds: Kinds = all

// The keys of the object are those of its type.
export const KINDS = Object.keys(kinds) as readonly RestorableKind[]
export const MEMBERS = KINDS.filter(isMember)
/** What there is to know of the kinds that stand on their own. */
export const lockables = Object.values(kinds).filter((kind) => !kind.isMember)

/** True for the kinds of record that have a history. */
export function isRecord(kind: string): kind is RestorableKind {
  return Object.hasOwn(kinds, kind)
}

/** True for the kinds of record that a collection holds. */
export function isMember(kind: string): kind is Member {
  return isRecord(kind) && kinds[kind].isMember
}

/** The kind of a stream; null where it is no record's. */
export function kindOfStream(stream: string): RestorableKind | null {
  const kind = stream.slice(0, stream.indexOf('-'))
  return isRecord(kind) ? kind : null
}
