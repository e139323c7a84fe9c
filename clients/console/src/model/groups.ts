import type { Schemas } from '@collections-hub/client'
import { accessInWords } from './access.js'
import type { Account } from './account.js'
import { counted } from './numbers.js'

type Group = Schemas['Group']

/** What a group gives, as people say it. */
export function givenInWords({ grants, ...access }: Group): string {
  const text = accessInWords({ ...access, exactRole: 'user' })
  return grants.length === 0 ? text : `${text}; roles on ${counted(grants.length, 'record')}`
}

/** What has made somebody a member. */
export function memberBy({ by, rule }: Pick<Schemas['Member'], 'by' | 'rule'>): string {
  if (by === 'rule') return `by the rule ${rule}`
  return by === 'directory' ? 'by a directory' : 'by an administrator'
}

/** By what somebody has a record, and as what: `through the group Payments, editor`. */
export function sharedBy({ by, group, role }: Pick<Schemas['Sharing'], 'by' | 'group' | 'role'>): string {
  if (by === 'group') return `through the group ${group}, ${role}`
  return by === 'list' ? `by their access list, ${role}` : `by a role that was given, ${role}`
}

/** A group as it is filled in: it is that of an account but for its role, which is that of its members. */
export const asAccount = (group: Group): Account => ({ ...group, exactRole: 'user' })

/** What is changed of a group, which has no role. */
export function ofGroup({ exactRole: _, ...changes }: Partial<Account>): Omit<Partial<Account>, 'exactRole'> {
  return changes
}
