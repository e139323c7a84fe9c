import { z } from 'zod'
import { name } from '../../../commands/content.js'
import { type TokenRow, tokenRecord, tokenRecords } from '../../../queries/callers.js'
import type { Rows } from '../../../queries/listing.js'
import type { Hub } from '../../app/hub.js'
import { boundedText, LIMITS, listOf } from '../../limits.js'
import { fieldsOf, token } from '../answers.js'
import { freshList } from '../lists.js'
import type { Paging } from '../paging.js'
import { json, type Reply } from '../reply.js'

const scopes = listOf(
  boundedText(LIMITS.label),
  LIMITS.tokenScopes,
  `A token has at most ${LIMITS.tokenScopes.max} scopes.`
)

/** What a new token is limited to, as whoever issues it says. */
export const tokenLimits = {
  agentWrites: z.boolean().optional().describe('Whether agents may write with the token; false where it is left out.'),
  expiresAt: boundedText(LIMITS.id)
    .pipe(z.iso.datetime('expiresAt: A time such as 2030-01-31T00:00:00Z is expected, or null for no end.'))
    .nullable()
    .optional()
    .describe('Until when it is in force; null for no end. Left out, the configuration says (`tokens.expiresInDays`).'),
  scopes: scopes
    .nullable()
    .optional()
    .describe(
      'What it is limited to: `read`, `write` (which reads too), `llm`, `agent`, `admin:read`, and `collection:` with an id for records of these collections alone. Null, or left out, for all that the account may.'
    )
}

/** A new token of an account that is there. */
export const newToken = z.object({ name: name.describe(token.shape.name.description ?? ''), ...tokenLimits })

/** The answer to a new token: what it is, and its secret for the only time. */
export function issuedReply(row: TokenRow, secret: string): Reply {
  return json(`{"token":${tokenRecord(row, null)},"secret":${JSON.stringify(secret)}}`, 201)
}

/** The reply to a list of tokens, each with when it was used last. */
export async function tokensReply({ ledger: { readModel, uses } }: Hub, which: Rows, asked: Paging): Promise<Reply> {
  const used = await uses.all()
  const records = (rows: readonly TokenRow[]) => tokenRecords(readModel, rows, used)
  return freshList(readModel, { ...which, name: 'tokens', fields: fieldsOf(token), records }, asked)
}
