import { table } from '../table.js'

/** Turns that are admitted and not settled. */
export const llmReservationsTable = table({
  name: 'llmReservations',
  columns: { userId: 'id', period: 'id', tokens: 'integer', expiresAt: 'time' },
  indexes: { byUser: { by: ['userId'], order: ['expiresAt'] }, byExpiry: { by: [], order: ['expiresAt'] } },
  scope: 'userId'
})

/** What each account has used in each month. */
export const llmUsageTable = table({
  name: 'llmUsage',
  columns: {
    userId: 'id',
    period: 'id',
    promptTokens: 'integer',
    completionTokens: 'integer',
    totalTokens: 'integer',
    unloggedTokens: 'integer'
  },
  indexes: { byMonth: { by: [], order: ['period', 'userId'] }, byPeriod: { by: ['period'], order: ['userId'] } },
  scope: 'userId'
})

/** Every step, for accounting: who, when, which model, how much; never what was said. */
export const llmStepsTable = table({
  name: 'llmSteps',
  columns: { userId: 'id', period: 'id', model: 'name', createdAt: 'time' },
  indexes: {
    byAge: { by: [], order: ['createdAt'] },
    byUser: { by: ['userId'], order: ['createdAt'] },
    byPeriod: { by: ['period'], order: ['createdAt'] },
    byModel: { by: ['model'], order: ['createdAt'] }
  },
  scope: 'userId'
})

/** The row of an account's month. */
export function usageId(userId: string, period: string): string {
  return `${period}:${userId}`
}
