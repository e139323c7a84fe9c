import { z } from 'zod'
import type { ReadStore } from '../../src/storage/storage.js'
import type { ReservationRow } from './budget/counting.js'
import type { Month } from './events.js'
import { llmUsageTable, usageId } from './table.js'

/** Months of accounts with the calls that were lost. */
export interface Months {
  /** By the id of their rows. */
  readonly byId: ReadonlyMap<string, Month>
  /** What the event of a lost call says of its month; nothing where that does not count it. */
  after(reservation: string): { readonly month?: Month & { readonly userId: string; readonly period: string } }
}

/** The UTC month that a moment belongs to. */
export function periodOf(now: string): string {
  return now.slice(0, 7)
}

/** What an account has used in a month, by the id of its row. */
export async function monthOf(id: string, read: ReadStore): Promise<Month> {
  const row = await read.get(llmUsageTable, id)
  const { promptTokens = 0, completionTokens = 0, totalTokens = 0, unloggedTokens = 0 } = row ?? {}
  return { promptTokens, completionTokens, totalTokens, unloggedTokens }
}

const reserved = z.object({ isMost: z.boolean().default(false) })

/**
 * Counts as used what calls held of which nobody says any more that they are on their way, since their provider may have made all of them.
 * A step of a chat holds what it is expected to use, or all that is left: that is free again.
 */
export async function monthsWithLost(expired: readonly ReservationRow[], read: ReadStore): Promise<Months> {
  const byId = new Map<string, Month>()
  const after = new Map<string, { readonly month: Month & { readonly userId: string; readonly period: string } }>()
  for (const { id, userId, tokens, expiresAt, body } of expired) {
    if (!reserved.parse(JSON.parse(body)).isMost) continue
    const period = periodOf(expiresAt)
    const row = usageId(userId, period)
    const { totalTokens, unloggedTokens, ...counted } = byId.get(row) ?? (await monthOf(row, read))
    const month = { ...counted, totalTokens: totalTokens + tokens, unloggedTokens: unloggedTokens + tokens }
    byId.set(row, month)
    after.set(id, { month: { userId, period, ...month } })
  }
  return { byId, after: (reservation) => after.get(reservation) ?? {} }
}
