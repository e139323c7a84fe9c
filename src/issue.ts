import { randomUUID } from 'node:crypto'
import type { IssuedInvitation } from '../commands/invitation/decide.js'
import type { IssuedToken } from '../commands/user/decide.js'
import { drawSecret } from './secrets.js'

const HOUR_MS = 3_600_000
/** The last day that ISO 8601 writes with four digits of year. */
const LAST_MS = Date.UTC(9999, 11, 31)

/** A fresh token: its secret, to be shown once, and what the hub keeps. */
export function issueToken(): { readonly secret: string; readonly token: IssuedToken } {
  const { secret, prefix, hash } = drawSecret('hbk_')
  return { secret, token: { tokenId: randomUUID(), prefix, hash } }
}

/** A fresh invitation that lasts so many hours from now: its secret, to be shown once, and what the hub keeps. */
export function issueInvitation(
  expiresInHours: number,
  now = Date.now()
): { readonly secret: string; readonly invitation: IssuedInvitation } {
  const { secret, prefix, hash } = drawSecret('hbi_')
  const expiresAt = new Date(Math.min(now + expiresInHours * HOUR_MS, LAST_MS)).toISOString()
  return { secret, invitation: { invitationId: randomUUID(), prefix, hash, expiresAt } }
}
