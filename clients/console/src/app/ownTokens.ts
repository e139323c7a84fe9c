import type { Schemas } from '@collections-hub/client'
import { type TokenForm, tokenBodyOf } from '../model/tokenForm.js'
import { hubTime } from './clock.js'
import { unlessRefused } from './hub.js'
import { hub, identity, seesRecords } from './session.js'

/** The tokens of the account that is signed in, the newest first, without those that are revoked. */
export async function loadOwnTokens(signal: AbortSignal): Promise<readonly Schemas['Token'][]> {
  const { body } = await hub().request('GET', '/auth/tokens', { signal })
  return body.tokens.filter(({ revokedAt }) => revokedAt === null)
}

/** Issues a further token of the own account; resolves to its secret, which is told this once. */
export async function issueOwnToken(form: TokenForm): Promise<string> {
  return (await hub().request('POST', '/auth/tokens', { body: tokenBodyOf(form, hubTime()) })).body.secret
}

/** Whether they can have a link for a desktop: desktops are for who works with records, and a limited token issues nothing. */
export const mayOpenInDesktop = (): boolean => seesRecords.value && !identity().token.scopes

/** Opens the page that hands a desktop a token of the own account; its link is good once, for ten minutes. */
export async function openInDesktop(): Promise<void> {
  location.assign((await hub().request('POST', '/auth/desktop-link')).body.link)
}

export async function revokeOwnToken(id: string): Promise<void> {
  await hub().request('DELETE', '/auth/tokens/{id}', { path: { id } })
}

/** What the account has used of models this month; null where the hub offers none. */
export function loadOwnUsage(signal: AbortSignal): Promise<Schemas['MonthlyUsage'] | null> {
  return unlessRefused(['llm-not-configured'], null, async () => {
    const { body } = await hub().request('GET', '/llm/usage', { signal })
    return body
  })
}
