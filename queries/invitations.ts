import { type InvitationStatus, statusOf } from '../commands/people/invitation/decide.js'
import { invitationsTable } from '../commands/people/invitation/table.js'
import { isInForce, tokensTable } from '../commands/people/token/table.js'
import { toldRoles } from '../commands/people/user/events.js'
import { type JsonText, splice } from '../commands/record.js'
import type { ReadStore, Row } from '../src/storage/storage.js'
import { accountOf, type UserRow } from './callers.js'
import type { Rows } from './listing.js'

export type InvitationRow = Row<typeof invitationsTable.columns>

/** What an invitation is at a moment, and since when it is revoked, where it is and that is known. */
export interface InvitationState {
  readonly status: InvitationStatus
  readonly revokedAt: string | null
}

/**
 * What each of some invitations is at a moment. One that somebody has made for themselves is over with the token that it was made with,
 * as is found when it is redeemed: it counts as revoked since then. When that was nobody knows of a token that is deleted.
 */
export async function statesOf(
  rows: readonly InvitationRow[],
  read: Pick<ReadStore, 'getAll'>,
  now: string
): Promise<(row: InvitationRow) => InvitationState> {
  const madeWith = rows.flatMap((row) => (statusOf(row, now) === 'pending' ? (row.madeWith ?? []) : []))
  const tokens = madeWith.length === 0 ? [] : await read.getAll(tokensTable, [...new Set(madeWith)], { body: false })
  const byId = new Map(tokens.map((token) => [token.id, token]))
  return (row) => {
    const state = { status: statusOf(row, now), revokedAt: row.revokedAt }
    if (state.status !== 'pending' || row.madeWith === null) return state
    const token = byId.get(row.madeWith)
    if (token && isInForce(token, now)) return state
    // Whichever came first: what is over can be revoked still.
    const [revokedAt = null] = [token?.revokedAt, token?.expiresAt].filter((end) => end != null).sort()
    return { status: 'revoked', revokedAt }
  }
}

/** An invitation as administrators see it, with its state at a moment: never its secret, which nobody has. */
export function invitationRecord(row: InvitationRow, { status, revokedAt }: InvitationState): JsonText {
  const { expiresAt, redeemedAt, createdAt } = row
  return splice(row.body, { expiresAt, redeemedAt, revokedAt, createdAt, status })
}

/** Every invitation, newest first. */
export const allInvitations: Rows = { table: invitationsTable, index: 'byAge', under: [], selection: { reverse: true } }

/** All invitations, newest first. */
export function listInvitations(read: ReadStore): Promise<readonly InvitationRow[]> {
  return read.list(invitationsTable, 'byAge', [], { reverse: true })
}

/** What the holder of an invitation's secret sees before redeeming it. */
export function previewOf({
  user,
  expiresAt
}: Pick<InvitationRow, 'expiresAt'> & { readonly user: UserRow }): JsonText {
  const { llmMonthlyTokenLimit: _, ...shown } = accountOf(user)
  return JSON.stringify({ user: { ...shown, ...toldRoles(shown.role) }, expiresAt })
}
