import type { Schemas } from '@collections-hub/client'
import { accessInWords } from './access.js'
import { type AccountForm, accountOf, changesOf, formOf } from './account.js'
import { counted } from './numbers.js'

type Group = Schemas['Group']

/** What a group gives, as people say it. */
export function givenInWords({ grants, ...access }: Group): string {
  const text = accessInWords({ ...access, role: 'user' })
  return grants.length === 0 ? text : `${text}; roles on ${counted(grants.length, 'record')}`
}

/** What has made somebody a member. */
export function memberBy({ by, rule }: Pick<Schemas['Member'], 'by' | 'rule'>): string {
  if (by === 'rule') return `by the rule ${rule}`
  return by === 'directory' ? 'by a directory' : 'by an administrator'
}

/** By what somebody has a collection. */
export function sharedBy({ by, group }: Pick<Schemas['Sharing'], 'by' | 'group'>): string {
  if (by === 'group') return `through the group ${group}`
  return by === 'list' ? 'by their access list' : 'by a role that was given'
}

/** A group as it is filled in: it is that of an account but for its role. */
export const groupForm = (group: Group): AccountForm => formOf({ ...group, role: 'user' })

/** What a form changes of a group. */
export function groupChanges(group: Group, form: AccountForm) {
  const { role: _, ...changes } = changesOf({ ...group, role: 'user' }, accountOf(form))
  return changes
}
