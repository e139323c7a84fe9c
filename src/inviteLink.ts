import { lockables } from '../commands/kinds.js'
import type { Account } from '../commands/user/events.js'

/**
 * The link that opens the join page of a hub (section 2, Invitation). What is shown stands in the query, the secret in the
 * fragment alone, which no browser sends.
 */
export function inviteLink(
  baseUrl: string,
  { name, role, ...access }: Account,
  { expiresAt, secret }: { readonly expiresAt: string; readonly secret: string }
): string {
  const base = baseUrl.replace(/\/+$/, '')
  const query = new URLSearchParams({ url: base, name, role, exp: expiresAt, access: summary(access) })
  return `${base}/join?${query}#code=${secret}`
}

function summary(access: Omit<Account, 'name' | 'role'>): string {
  const amount = (ids: readonly string[]) =>
    ids.includes('*') ? 'all' : ids.length === 0 ? 'none' : String(ids.length)
  return [
    ...lockables.map(({ label, access: list }) => `${label}s: ${amount(access[list])}`),
    `LLM: ${access.llmAccess ? 'enabled' : 'disabled'}`
  ].join(' · ')
}
