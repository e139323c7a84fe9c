import { z } from 'zod'
import { type Usage, usageOf } from './usage.js'

const tokens = z.int().nonnegative().nullish().catch(null)

const ofMessages = {
  input_tokens: tokens,
  output_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens
}
/** Tokens as providers of either interface count them. */
export const tokenCounts = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  ...ofMessages,
  iterations: z.array(z.unknown()).nullish().catch(null)
})
/** A summary that Anthropic has made of the conversation: what that took is in no other count. */
const summary = z.object({ type: z.literal('compaction'), ...ofMessages })
export type TokenCounts = Readonly<Partial<z.infer<typeof tokenCounts>>>

/** Where something may say what was used; null where it does not. */
export const maybeTokenCounts = tokenCounts.nullish().catch(null)

/** Counts with later ones, each of which is of the whole; they leave out what has not changed. */
export function withLater(before: TokenCounts, later: TokenCounts | null | undefined): TokenCounts {
  const told = Object.entries(later ?? {}).filter(([, count]) => count !== null && count !== undefined)
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
  const completion = Math.max(completion_tokens ?? output_tokens ?? 0, (total_tokens ?? 0) - prompt)
  const summaries = (counted.iterations ?? []).flatMap((one) => summary.safeParse(one).data ?? [])
  const all = [usageOf(prompt, completion), ...summaries.map(usageIn)]
  const sum = (of: 'promptTokens' | 'completionTokens') => all.reduce((sum, one) => sum + one[of], 0)
  return usageOf(sum('promptTokens'), sum('completionTokens'))
}
