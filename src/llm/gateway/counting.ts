import { z } from 'zod'
import { addUsage, estimateUsage, NO_USAGE, type UsageReport, usageOf } from '../usage.js'
import { writtenIn } from './events.js'

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

/** Events behind which a provider counts nothing more: of a message, of a response, and the one about usage of a chat completion. */
const last = z.union([
  z.object({ type: z.literal('message_delta'), delta: z.object({ stop_reason: z.string() }) }),
  z.object({ type: z.enum(['message_stop', 'response.completed', 'response.incomplete', 'response.failed']) }),
  z.object({ choices: z.array(z.unknown()).length(0), usage: z.object({}) })
])

/** The tokens that a call can use at most; null where it does not say how many a model may write. */
export interface Most {
  readonly input: number
  readonly output: number | null
}

/** What was sent of a call, in characters, and what it can use at most. */
export interface Reckoning {
  /** To who answers, or should have. */
  readonly sent_chars: number
  /** To those before who did not begin to, and may bill it. */
  readonly unanswered_chars: number
  readonly most: () => Most
  readonly isStreamed: boolean
}

/** What a call has used, as far as its provider has said so: each count is of the whole, and leaves out what has not changed. */
export class Counting {
  #counts: Partial<Counts> = {}
  #hasCounted = false
  #hasRead = false
  #hasEnded = false
  #written_chars = 0
  #received_chars = 0

  /** True where the whole of a stream has come, whoever leaves or breaks off behind it. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Takes in an answer, or an event of one. */
  take(said: unknown): void {
    this.#hasRead = true
    this.#received_chars = 0
    this.#written_chars += writtenIn(said)
    const { data } = counted.safeParse(said)
    const more = data?.usage ?? data?.message?.usage ?? data?.response?.usage
    if (more) {
      this.#hasCounted = true
      this.#counts = {
        ...this.#counts,
        ...Object.fromEntries(Object.entries(more).filter(([, count]) => typeof count === 'number'))
      }
    }
    if (last.safeParse(said).success) this.end()
  }

  /** Takes in the words that end a stream. */
  end(): void {
    this.#hasEnded = true
  }

  /** Takes in an answer that is whole, but which nobody has read: it counts by its size until it is taken in. */
  receive(chars: number): void {
    this.#hasRead = true
    this.#received_chars = chars
  }

  /** What was used, of an answer that is whole: reckoned where its provider has not said. */
  whole(call: Reckoning): UsageReport {
    return withUnanswered(this.#hasCounted ? { ...this.#usage(), estimated: false } : this.#estimate(call, 0), call)
  }

  /**
   * What was used, of an answer that is not: by what was written until then, and of a plain call, of which nothing can be read before it is
   * whole, all that it lets the model write. Nothing where nobody may bill anything.
   */
  partial(call: Reckoning): UsageReport {
    if (call.sent_chars + call.unanswered_chars === 0) return NO_USAGE
    const isUnread = !call.isStreamed && !this.#hasRead
    return withUnanswered(this.#estimate(call, isUnread ? (call.most().output ?? 0) : 0), call)
  }

  /** Four characters a token, but no more than the call can use, and no less than its provider has counted. */
  #estimate({ sent_chars, most }: Reckoning, leastOutput: number): UsageReport {
    const counted = this.#usage()
    const { input: mostInput, output: mostOutput } = most()
    const { promptTokens, completionTokens } = estimateUsage(sent_chars, this.#written_chars + this.#received_chars)
    const input = counted.promptTokens || Math.min(promptTokens, mostInput)
    const output = Math.min(Math.max(completionTokens, leastOutput), mostOutput ?? Number.POSITIVE_INFINITY)
    return { ...usageOf(input, Math.max(output, counted.completionTokens)), estimated: true }
  }

  #usage() {
    const { prompt_tokens, completion_tokens, total_tokens, input_tokens, output_tokens } = this.#counts
    const { cache_creation_input_tokens, cache_read_input_tokens } = this.#counts
    // OpenAI's count of what was sent holds what was cached, Anthropic's does not.
    const cached = (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
    const prompt = prompt_tokens ?? (input_tokens ?? 0) + cached
    // Thoughts of some models are in the total alone.
    const output = Math.max(completion_tokens ?? output_tokens ?? 0, (total_tokens ?? 0) - prompt)
    return usageOf(prompt, output, total_tokens ?? 0)
  }
}

/** With what those may bill who were sent the call and did not begin to answer, as far as it can be used at all. */
function withUnanswered(usage: UsageReport, { unanswered_chars, most }: Reckoning): UsageReport {
  if (unanswered_chars === 0) return usage
  const { promptTokens } = estimateUsage(unanswered_chars, 0)
  const more = Math.min(promptTokens, Math.max(0, most().input - usage.promptTokens))
  return addUsage(usage, { ...usageOf(more, 0), estimated: true })
}
