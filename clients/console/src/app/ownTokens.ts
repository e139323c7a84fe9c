import type { Schemas } from '@collections-hub/client'
import { ask, identity, seesRecords } from './session.js'

/** The tokens of the account that is signed in, the newest first, without those that are revoked. */
export async function loadOwnTokens(signal: AbortSignal): Promise<readonly Schemas['Token'][]> {
  return (await ask('GET', '/auth/tokens', { signal })).tokens.filter(({ revokedAt }) => revokedAt === null)
}

/** Whether they can have a link for a desktop: desktops are for who works with records, and a limited token issues nothing. */
export const mayOpenInDesktop = (): boolean => seesRecords.value && !identity().token.scopes

/** Opens the page that hands a desktop a token of the own account; its link is good once, for ten minutes. */
export async function openInDesktop(): Promise<void> {
  location.assign((await ask('POST', '/auth/desktop-link')).link)
}
