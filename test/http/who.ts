import type { Role } from '../../commands/people/user/events.js'
import { ROLES_OF } from '../../src/http/access.js'
import type { Endpoint, Sample } from './endpoint.js'
import { isOfOwn } from './viewerOwn.js'

/** Who calls a route, as far as the answer depends on it. */
export const WHO = [
  'no token',
  'a malformed token',
  'an unknown token',
  'a revoked token',
  'a disabled account',
  'a user without access',
  'a viewer',
  'a user with this id',
  'a member of a group',
  'a manager',
  'a user with *',
  'a service account',
  'the creator',
  'an administrator',
  'an administrator of accounts',
  'an auditor'
] as const
export type Who = (typeof WHO)[number]

/** Who is let in by nothing. */
const NOBODY: readonly Who[] = [
  ...(['no token', 'a malformed token', 'an unknown token', 'a revoked token', 'a disabled account'] as const)
]

/** The role of those who are no users. */
const ROLE_OF: Partial<Readonly<Record<Who, Role>>> = {
  'an administrator': 'admin',
  'an administrator of accounts': 'accountAdmin',
  'an auditor': 'auditor'
}

/** Who is answered as somebody else is, unless the row says otherwise. */
const LIKE: Partial<Readonly<Record<Who, Who>>> = {
  'a viewer': 'a user with this id',
  'a member of a group': 'a user with this id',
  'a manager': 'a user with this id',
  'a service account': 'a user with *'
}

const VIEWER_ONLY = 'You may look at this and not change it.'
const TEXTS: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden' }

type Answered = Pick<Endpoint, 'access' | 'success' | 'matrix' | 'texts' | 'route'>

/** The status that somebody gets, by the rules of section 5 unless the endpoint has its own. */
export function statusFor(endpoint: Answered, who: Who): number {
  const { access, success, matrix } = endpoint
  const special = matrix?.[who]
  if (special !== undefined) return special
  if (access === 'public') return success
  if (NOBODY.includes(who)) return 401
  if (who === 'a viewer' && changesRecords(endpoint)) return 403
  const like = LIKE[who]
  if (like) return statusFor(endpoint, like)
  const roles: readonly Role[] = ROLES_OF[access]
  if (!roles.includes(ROLE_OF[who] ?? 'user')) return 403
  return access === 'user' && who === 'a user without access' ? 403 : success
}

/** The text of the refusal that somebody gets; undefined for one that the rows do not say. */
export function textFor(endpoint: Answered, who: Who, sample: Sample): string | undefined {
  const { matrix, texts } = endpoint
  const special = texts?.[who]
  if (special !== undefined) return special
  const isViewers = who === 'a viewer' && changesRecords(endpoint) && matrix?.[who] === undefined
  if (isViewers && idsIn(sample).length > 0) return VIEWER_ONLY
  const like = LIKE[who]
  return like && !isViewers ? textFor(endpoint, like, sample) : TEXTS[statusFor(endpoint, who)]
}

/** True for what changes more than what is the caller's own: what a viewer may not. */
function changesRecords({ access, route: { description } }: Answered): boolean {
  const roles: readonly Role[] = ROLES_OF[access]
  return roles.includes('user') && description.access.needs === 'write' && !isOfOwn(description.operation)
}

/** The records that a sample is about, which can be given to somebody. */
export function idsIn({ scope = {} }: Sample): readonly string[] {
  return Object.values(scope).flat()
}
