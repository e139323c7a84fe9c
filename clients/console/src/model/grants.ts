import type { Schemas } from '@collections-hub/client'
import { type AloneKind, isAlone } from './records.js'

type Told = Schemas['Group']['grants'][number]
export type GrantRole = Told['role']

/** A role on one record, which stands by itself. */
export interface Grant {
  readonly kind: AloneKind
  readonly id: string
  readonly role: GrantRole
}

/** What the hub tells of grants: it and the console that it serves know the same kinds. */
export const grantsIn = (told: readonly Told[] = []): readonly Grant[] =>
  told.flatMap(({ kind, ...rest }) => (isAlone(kind) ? [{ kind, ...rest }] : []))

/** What each role is called, and what it lets somebody do. */
export const GRANT_ROLES: readonly { readonly value: GrantRole; readonly label: string; readonly may: string }[] = [
  { value: 'viewer', label: 'viewer: looks at it', may: 'may look at it' },
  { value: 'editor', label: 'editor: changes it', may: 'may change it' },
  { value: 'manager', label: 'manager: changes and shares it', may: 'may change and share it' }
]

/** What somebody with a role may do: `may change it`. */
export const mayBy = (role: GrantRole): string => GRANT_ROLES.find(({ value }) => value === role)?.may ?? role

const isSame = (one: Pick<Grant, 'kind' | 'id'>, other: Pick<Grant, 'kind' | 'id'>): boolean =>
  one.kind === other.kind && one.id === other.id

/** The grants with a role on a record in place of the one that there was, at its place; with null, without one. */
export function grantsWith(grants: readonly Grant[], record: Pick<Grant, 'kind' | 'id'>, role: GrantRole | null) {
  if (role === null) return grants.filter((one) => !isSame(one, record))
  const { kind, id } = record
  const given = { kind, id, role }
  return grants.some((one) => isSame(one, record))
    ? grants.map((one) => (isSame(one, record) ? given : one))
    : [...grants, given]
}
