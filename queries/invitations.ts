import { type InvitationStatus, statusOf } from '../commands/people/invitation/decide.js'
import { invitationsTable } from '../projections/invitations.js'
import { type JsonText, splice } from '../projections/record.js'
import { isInForce, tokensTable } from '../projections/tokens.js'
import { usersTable } from '../projections/users.js'
import type { ReadStore, Row } from '../src/storage/storage.js'
import { accountOf } from './callers.js'
import type { Rows } from './listing.js'

export type InvitationRow = Row<typeof invitationsTable.columns>

/**
 * What each of some invitations is at a moment. One that somebody has made for themselves is over with the token that it was made with,
 * as is found when it is redeemed: it counts as revoked.
 */
export async function statusesOf(
  rows: readonly InvitationRow[],
  read: Pick<ReadStore, 'getAll'>,
  now: string
): Promise<(row: InvitationRow) => InvitationStatus> {
  const madeWith = rows.flatMap((row) => (statusOf(row, now) === 'pending' ? (row.madeWith ?? []) : []))
  const tokens = madeWith.length === 0 ? [] : await read.getAll(tokensTable, [...new Set(madeWith)], { body: false })
  const inForce = new Set(tokens.flatMap((token) => (isInForce(token, now) ? token.id : [])))
  return (row) => {
    const status = statusOf(row, now)
    return status === 'pending' && row.madeWith !== null && !inForce.has(row.madeWith) ? 'revoked' : status
  }
}

/** An invitation as administrators see it, with its state at a moment: never its secret, which nobody has. */
export function invitationRecord(row: InvitationRow, status: InvitationStatus): JsonText {
  const { expiresAt, redeemedAt, revokedAt, createdAt } = row
  return splice(row.body, { expiresAt, redeemedAt, revokedAt, createdAt, status })
}

/** Every invitation, newest first. */
export const allInvitations: Rows = { table: invitationsTable, index: 'byAge', under: [], selection: { reverse: true } }

/** All invitations, newest first. */
export function listInvitations(read: ReadStore): Promise<readonly InvitationRow[]> {
  return read.list(invitationsTable, 'byAge', [], { reverse: true })
}

/** What the holder of an invitation's secret sees before redeeming it; null where the account is gone. */
export async function previewOf(read: ReadStore, { userId, expiresAt }: InvitationRow): Promise<JsonText | null> {
  const user = await read.get(usersTable, userId)
  if (!user) return null
  const { llmMonthlyTokenLimit: _, ...shown } = accountOf(user)
  return JSON.stringify({ user: shown, expiresAt })
}
