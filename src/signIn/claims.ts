import { z } from 'zod'
import { name } from '../../commands/content.js'
import type { SignInProviderConfig } from '../config/types.js'
import { LIMITS } from '../limits.js'

const GROUPS_MAX = 10_000
const text = z.string().trim().min(1).max(LIMITS.label.max)

/** What somebody may be called here. */
const called = name.pipe(text)

/** What a provider says of somebody. */
export type Claims = Readonly<Record<string, unknown>>

/** What somebody is called, by the claim of the configuration or the next that says something; else by their subject. */
export function nameIn(claims: Claims, { nameClaim, emailClaim }: SignInProviderConfig, subject: string): string {
  for (const claim of [nameClaim, 'preferred_username', emailClaim]) {
    const { data } = called.safeParse(claims[claim])
    if (data !== undefined) return data
  }
  return subject.slice(0, LIMITS.label.max)
}

/** True where somebody is in a domain or a group that may sign in, or all may. Of a mail address only one that was verified counts. */
export function isLetIn(
  claims: Claims,
  { emailClaim, groupsClaim, allowedDomains, allowedGroups }: SignInProviderConfig
): boolean {
  if (allowedDomains.length + allowedGroups.length === 0) return true
  const groups = groupsIn(claims, groupsClaim)
  if (groups.some((group) => allowedGroups.includes(group))) return true
  const [, domain] = /.@([^@]+)$/.exec(text.safeParse(claims[emailClaim]).data?.toLowerCase() ?? '') ?? []
  return claims.email_verified === true && allowedDomains.some((one) => one.toLowerCase() === domain)
}

/**
 * The same of somebody who was let in before: true too where the provider does not speak of what decides, the groups where some are
 * allowed, else the mail address. Of more groups than it can name some say so by leaving them out.
 */
export function isStillLetIn(claims: Claims, config: SignInProviderConfig): boolean {
  const deciding = claims[config.allowedGroups.length > 0 ? config.groupsClaim : config.emailClaim]
  return (deciding ?? null) === null || isLetIn(claims, config)
}

/** The rules of a provider that hold for somebody. */
export function rulesFor(claims: Claims, { groupsClaim, groupRules }: SignInProviderConfig) {
  const groups = new Set(groupsIn(claims, groupsClaim))
  return groupRules.filter(({ value }) => groups.has(value))
}

function groupsIn(claims: Claims, groupsClaim: string): readonly string[] {
  const said = claims[groupsClaim]
  const groups: readonly unknown[] = Array.isArray(said) ? said.slice(0, GROUPS_MAX) : [text.safeParse(said).data]
  // One that is no name of a group says nothing about the others.
  return groups.flatMap((one) => (typeof one === 'string' && one.length <= LIMITS.label.max ? [one] : []))
}
