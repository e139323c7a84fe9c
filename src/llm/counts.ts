import { z } from 'zod'
import { type Usage, usageOf } from './usage.js'

const tokens = z.int().nonnegative().nullish().catch(null)

/** Tokens as providers of either interface count them. */
export const tokenCounts = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  input_tokens: tokens,
  output_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens
})
export type TokenCounts = Readonly<Partial<z.infer<typeof tokenCounts>>>

/** Where something may say what was used; null where it does not. */
export const maybeTokenCounts = tokenCounts.nullish().catch(null)

/** Counts with later ones, each of which is of the whole; they leave out what has not changed. */
export function withLater(before: TokenCounts, later: TokenCounts | null | undefined): TokenCounts {
  const told = Object.entries(later ?? {}).filter(([, count]) => typeof count === 'number')
  return { ...before, ...Object.fromEntries(told) }
}

/** What was used, as it was counted. */
export function usageIn(counted: TokenCounts): Usage {
  const { prompt_tokens, completion_tokens, total_tokens, input_tokens, output_tokens } = counted
  const { cache_creation_input_tokens, cache_read_input_tokens } = counted
  // OpenAI's count of what was sent holds what was cached, Anthropic's does not.
  const cached = (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
  const prompt = prompt_tokens ?? (input_tokens ?? 0) + cached
  // Thoughts of some models, as of Gemini, are in the total alone, and billed as output.
  return usageOf(prompt, Math.max(completion_tokens ?? output_tokens ?? 0, (total_tokens ?? 0) - prompt))
}
