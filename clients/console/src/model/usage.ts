import type { Schemas } from '@collections-hub/client'
import { counted } from './numbers.js'

/** What was used, and what it cost in US dollars; null where nothing of it has a price. */
export type Spend = Schemas['SpendReport']['total']

/** What use is told by. */
export const USAGE_BY = { day: 'Day', user: 'Person', model: 'Model', token: 'Token', tool: 'Program' } as const
export type UsageBy = keyof typeof USAGE_BY
export const isUsageBy = (text: string | null): text is UsageBy => text !== null && Object.hasOwn(USAGE_BY, text)

/** The UTC month of a moment, as `YYYY-MM`. */
export const monthOf = (now_ms: number): string => new Date(now_ms).toISOString().slice(0, 7)

/** The month that an address names: this one where it names none, or one that is not there yet. */
export function monthIn(text: string | null, now_ms: number): string {
  const current = monthOf(now_ms)
  return text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text <= current ? text : current
}

/** The month so many months later; earlier where that is negative. */
export function monthFrom(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return monthOf(Date.UTC(year, number - 1 + by))
}

const monthWords = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayWords = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC'
})

export const monthLabel = (month: string): string => monthWords.format(new Date(`${month}-01T00:00:00Z`))
export const dayLabel = (day: string): string => dayWords.format(new Date(`${day}T00:00:00Z`))

/** The days of a month, as `YYYY-MM-DD`. */
export function daysOf(month: string): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

const inDollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
const dollars = new Intl.NumberFormat(undefined, inDollars)
const cents = new Intl.NumberFormat(undefined, { ...inDollars, minimumFractionDigits: 4 })

/** Money; less than a dollar to parts of a cent. What has no price says so. */
export const money = (cost: number | null): string =>
  cost === null ? 'no price' : (cost !== 0 && cost < 1 ? cents : dollars).format(cost)

/** What was spent, as people say it; a cost that nobody knows is told as the tokens that were used. */
export function spendInWords(spend: Pick<Spend, 'steps' | 'cost' | 'totalTokens'> | null): string {
  if (!spend || spend.steps === 0) return 'nothing'
  return spend.cost === null ? counted(spend.totalTokens, 'token') : money(spend.cost)
}

/** Whether a limit is reached, or nearly. */
export type Nearness = 'over' | 'near' | 'free'

const NEAR = 0.8

/** How near to a limit it is to have used this share of it. */
export const nearnessOf = (share: number): Nearness => (share >= 1 ? 'over' : share >= NEAR ? 'near' : 'free')

/** How near an account is to the tokens that it may use in a month. */
export interface Limit {
  readonly id: string
  readonly name: string
  readonly limit: number
  readonly used: number
  /** From 0 on; 1 and more where nothing is left. */
  readonly share: number
  readonly state: Nearness
}

/** Who has a limit, the nearest to it first. */
export function limitsOf(accounts: readonly Pick<Limit, 'id' | 'name' | 'limit'>[], used: ReadonlyMap<string, number>) {
  return accounts
    .map((account): Limit => {
      const tokens = used.get(account.id) ?? 0
      const share = account.limit === 0 ? 1 : tokens / account.limit
      return { ...account, used: tokens, share, state: nearnessOf(share) }
    })
    .sort((one, other) => other.share - one.share || (one.name < other.name ? -1 : 1))
}
