import { z } from 'zod'
import { estimateUsage, type UsageReport, usageOf } from '../usage.js'

const tokens = z.int().nonnegative().nullish().catch(null)
const counts = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  input_tokens: tokens,
  output_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens
})
type Counts = z.infer<typeof counts>
const nowhere = z.object({ usage: counts }).nullish().catch(null)
/** Where an answer or an event says what was used: at its top, or in the message or the response that it is about. */
const counted = z.object({ usage: counts.nullish().catch(null), message: nowhere, response: nowhere })

/** What a call has used, as far as its provider has said so: each count is of the whole, and leaves out what has not changed. */
export class Counting {
  #counts: Partial<Counts> = {}
  #hasCounted = false
  #received_chars = 0

  /** Takes in an answer, or an event of one. */
  take(said: unknown): void {
    const { data } = counted.safeParse(said)
    const more = data?.usage ?? data?.message?.usage ?? data?.response?.usage
    if (!more) return
    this.#hasCounted = true
    this.#counts = {
      ...this.#counts,
      ...Object.fromEntries(Object.entries(more).filter(([, count]) => typeof count === 'number'))
    }
  }

  /** What was received without a count, in characters. */
  receive(chars: number): void {
    this.#received_chars += chars
  }

  /** What was used, of an answer that is whole: reckoned where its provider has not said. */
  whole(sent_chars: number): UsageReport {
    return this.#hasCounted ? { ...this.#usage(), estimated: false } : estimateUsage(sent_chars, this.#received_chars)
  }

  /** What was used, of an answer that was broken off. */
  partial(sent_chars: number): UsageReport {
    return estimateUsage(sent_chars, this.#received_chars, this.#hasCounted ? this.#usage() : {})
  }

  #usage() {
    const { prompt_tokens, completion_tokens, total_tokens, input_tokens, output_tokens } = this.#counts
    const { cache_creation_input_tokens, cache_read_input_tokens } = this.#counts
    const cached = (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
    const prompt = (prompt_tokens ?? input_tokens ?? 0) + cached
    return usageOf(prompt, completion_tokens ?? output_tokens ?? 0, total_tokens ?? 0)
  }
}
