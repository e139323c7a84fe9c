import { z } from 'zod'
import { llmStepsTable, llmUsageTable } from '../commands/llm/table.js'
import { tokensTable } from '../commands/people/token/table.js'
import { usersTable } from '../commands/people/user/table.js'
import { nameOf } from '../commands/record.js'
import { errors } from '../src/errors.js'
import { LIMITS } from '../src/limits.js'
import type { PagedReads } from '../src/storage/storage.js'
import { runPages, runsOf } from './listing.js'

/** What the use of models is told by. */
export const SPEND_BY = ['user', 'token', 'model', 'tool', 'day'] as const
export type SpendBy = (typeof SPEND_BY)[number]

/** UTC days, `YYYY-MM-DD`, the last one included. */
export interface Days {
  readonly from: string
  readonly to: string
}

const count = z.int().min(0)
/** What was used, and what it cost in US dollars; `cost` is null where no model that was used has a price. */
const spend = z.object({
  steps: count.describe('How many chat steps there were.'),
  promptTokens: count.describe('Tokens that models read.'),
  completionTokens: count.describe('Tokens that models wrote.'),
  totalTokens: count.describe('Tokens in all.'),
  cost: z.number().nullable().describe('What that cost, in US dollars; null where no model that was used has a price.')
})
export type Spend = Readonly<z.infer<typeof spend>>

export const spendReport = z.object({
  by: z.enum(SPEND_BY).describe('What the use is told by.'),
  from: z.iso.date().describe('The first day, in UTC.'),
  to: z.iso.date().describe('The last day, in UTC.'),
  currency: z.literal('USD').describe('The currency of costs.'),
  usage: z
    .array(
      z.object({
        key: z
          .string()
          .describe(
            'The id of the account, the token or the model, what the program calls itself, or the day; empty where that was not said, and of all together that are more than a report has.'
          ),
        name: z
          .string()
          .nullable()
          .optional()
          .describe('The name of the account or the token; null where it is gone. Others have none.'),
        ...spend.shape
      })
    )
    .describe('By what it is told by, in the order of names, ids or days.'),
  total: spend.describe('All of it together.'),
  unpriced: z
    .array(z.string())
    .describe('The ids of models that were used and have no price: what they cost is in no sum.'),
  unloggedTokens: count.describe(
    'Tokens that were counted without a step: of calls that were lost with their hub, or by an older hub. They are in no sum.'
  )
})
export type SpendReport = Readonly<z.infer<typeof spendReport>>

/** What a model costs, in US dollars for a million tokens. */
export type Prices = ReadonlyMap<string, { readonly input: number; readonly output: number }>

const monthText = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)
const DAY_MS = 86_400_000

/**
 * The days that somebody asks for: a month, or from one day to another, today's month by default; an end that is not given is
 * today. Refuses with 400 what is no month or day, an end before the beginning, and more days than one report covers.
 */
export function spendDays(
  asked: { readonly month?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined },
  today: string
): Days {
  const { month, from, to } = asked
  if (month !== undefined && (from !== undefined || to !== undefined)) throw errors.monthAndDays()
  if (month !== undefined || (from === undefined && to === undefined)) {
    const named = month ?? today.slice(0, 7)
    if (!monthText.safeParse(named).success) throw errors.monthMalformed()
    // Not by `Date.UTC`, which takes the years up to 99 for those of the 20th century.
    const last = new Date(`${named}-01`)
    last.setUTCMonth(last.getUTCMonth() + 1, 0)
    return { from: `${named}-01`, to: last.toISOString().slice(0, 10) }
  }
  const days = { from: dayOf('from', from ?? to ?? today), to: dayOf('to', to ?? today) }
  const count = (Date.parse(days.to) - Date.parse(days.from)) / DAY_MS + 1
  if (count < 1) throw errors.daysReversed()
  if (count > LIMITS.spendDays.max) throw errors.tooManyDays()
  return days
}

function dayOf(what: string, text: string): string {
  if (!z.iso.date().safeParse(text).success) throw errors.dayMalformed(what)
  return text
}

const NONE: Spend = { steps: 0, promptTokens: 0, completionTokens: 0, totalTokens: 0, cost: null }
const MILLION = 1_000_000
const used = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  apiTokenId: z.string().nullish(),
  tool: z.string().optional()
})
/** What a call was made by of which that is not said: an older hub did not say, and a desktop does not say what it is called. */
const UNSAID = ''

/** What the accounts have used of which models on these days, priced as the models cost now. Steps are read a page at a time. */
export async function spendOf(read: PagedReads, by: SpendBy, days: Days, prices: Prices): Promise<SpendReport> {
  const sums = new Map<string, Spend>()
  const unpriced = new Set<string>()
  let total = NONE
  let unloggedTokens = 0
  for (const month of monthsOf(days)) {
    const rows = { table: llmStepsTable, index: 'byPeriod', under: [month] }
    for (const run of runsOf(await read.outline(rows.table, rows.index, rows.under))) {
      for await (const page of runPages(read, rows, run)) {
        for (const { userId, model, createdAt, body } of page) {
          const day = createdAt.slice(0, 10)
          if (day < days.from || day > days.to) continue
          const { apiTokenId, tool = UNSAID, ...counts } = used.parse(JSON.parse(body))
          const step = stepOf(counts, prices.get(model))
          if (step.cost === null) unpriced.add(model)
          const said = { user: userId, token: apiTokenId ?? UNSAID, model, tool, day }[by]
          // Programs are called what they like.
          const key = sums.has(said) || sums.size < LIMITS.spendRows.max ? said : UNSAID
          sums.set(key, sum(sums.get(key) ?? NONE, step))
          total = sum(total, step)
        }
      }
    }
    for (const row of await read.list(llmUsageTable, 'byPeriod', [month])) unloggedTokens += row.unloggedTokens
  }
  const usage = await named(read, by, sums)
  return { by, ...days, currency: 'USD', usage, total: rounded(total), unpriced: [...unpriced].sort(), unloggedTokens }
}

/** The months that these days are in, `YYYY-MM`. */
function monthsOf({ from, to }: Days): readonly string[] {
  const placeOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
  const first = placeOf(from)
  const digits = (number: number, count: number) => String(number).padStart(count, '0')
  return Array.from({ length: placeOf(to) - first + 1 }, (_, i) => {
    const place = first + i
    return `${digits(Math.floor(place / 12), 4)}-${digits((place % 12) + 1, 2)}`
  })
}

function stepOf(
  { promptTokens, completionTokens }: Pick<Spend, 'promptTokens' | 'completionTokens'>,
  price: PriceOrNone
): Spend {
  const cost = price ? (promptTokens * price.input + completionTokens * price.output) / MILLION : null
  return { steps: 1, promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, cost }
}

type PriceOrNone = { readonly input: number; readonly output: number } | undefined

function sum(one: Spend, other: Spend): Spend {
  return {
    steps: one.steps + other.steps,
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    cost: one.cost === null || other.cost === null ? (one.cost ?? other.cost) : one.cost + other.cost
  }
}

/** To millionths of a dollar, so that sums of fractions show no more digits than they have. */
function rounded(spend: Spend): Spend {
  return spend.cost === null ? spend : { ...spend, cost: Math.round(spend.cost * MILLION) / MILLION }
}

async function named(read: PagedReads, by: SpendBy, sums: ReadonlyMap<string, Spend>): Promise<SpendReport['usage']> {
  if (by !== 'user' && by !== 'token')
    return [...sums].map(([key, spend]) => ({ key, ...rounded(spend) })).sort((a, b) => (a.key < b.key ? -1 : 1))
  const ids = [...sums.keys()].filter((id) => id !== UNSAID)
  const rows = by === 'user' ? await read.getAll(usersTable, ids) : await read.getAll(tokensTable, ids)
  const names = new Map(rows.map((row) => [row.id, nameOf(row)]))
  return [...sums]
    .map(([key, spend]) => ({ key, name: names.get(key) ?? null, ...rounded(spend) }))
    .sort((a, b) => (a.name ?? a.key).localeCompare(b.name ?? b.key))
}
