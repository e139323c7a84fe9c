import type { Budget } from './events.js'

/** What a model costs, in US dollars for a million tokens: the same as millionths of a dollar for a token. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** The most that a budget admits in a period, in tokens or US dollars: sums of it are counted exactly. */
export const BUDGET_MOST = 1_000_000_000
/** Sums are kept in whole tokens, and in millionths of a dollar. */
const MILLION = 1_000_000

/** What a budget admits in a period, as sums are kept. */
export function mostOf({ unit, limit }: Pick<Budget, 'unit' | 'limit'>): number {
  return unit === 'usd' ? Math.round(limit * MILLION) : limit
}

/** A sum as clients are told of it: in tokens, or in US dollars. */
export function amountShown({ unit }: Pick<Budget, 'unit'>, sum: number): number {
  return unit === 'usd' ? sum / MILLION : sum
}

/** What so many tokens are in the unit of a budget, never less: those that are read, and those that are written. */
export function amountOf({ unit }: Pick<Budget, 'unit'>, price: Price | null, input: number, output: number): number {
  if (unit === 'tokens') return input + output
  return price ? Math.ceil(input * price.input + output * price.output) : 0
}

/** How many tokens fit into what is left of a budget, of which the first `input` are read and the others written. */
export function tokensWithin({ unit }: Pick<Budget, 'unit'>, price: Price | null, input: number, left: number): number {
  if (unit === 'tokens' || left <= 0) return left
  if (!price) return Number.POSITIVE_INFINITY
  const read = input * price.input
  if (left < read) return Math.floor(left / price.input)
  return price.output === 0 ? Number.POSITIVE_INFINITY : input + Math.floor((left - read) / price.output)
}
