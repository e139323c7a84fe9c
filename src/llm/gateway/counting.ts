import { z } from 'zod'
import { maybeTokenCounts, type TokenCounts, tokenCounts, usageIn, withLater } from '../counts.js'
import { addUsage, estimateUsage, isNothing, NO_USAGE, type UsageReport, usageOf } from '../usage.js'
import type { Attempts } from './attempts.js'
import { writtenIn } from './events.js'

const nowhere = z.object({ usage: tokenCounts }).nullish().catch(null)
/** Where an answer or an event says what was used: at its top, or in the message or the response that it is about. */
const counted = z.object({ usage: maybeTokenCounts, message: nowhere, response: nowhere })

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

/** Whom a call was sent to, and what it can use at most. */
export interface Reckoned {
  readonly attempts: Pick<Attempts, 'chars'>
  readonly most: () => Most
  readonly isStreamed: boolean
}

/** What a call has used, as far as its provider has said so: each count is of the whole, and leaves out what has not changed. */
export class Counting {
  readonly #call: Reckoned
  #counts: TokenCounts = {}
  #hasRead = false
  #hasEnded = false
  #written_chars = 0
  #received_chars = 0

  constructor(call: Reckoned) {
    this.#call = call
  }

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
    if (more) this.#counts = withLater(this.#counts, more)
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

  /** What was used, of an answer that is whole: reckoned where its provider has not said, and so where it says nothing but zeros. */
  whole(): UsageReport {
    const counted = usageIn(this.#counts)
    return this.#withUnanswered(isNothing(counted) ? this.#estimate(0) : { ...counted, estimated: false })
  }

  /**
   * What was used, of an answer that is not: by what was written until then, and of a plain call, of which nothing can be read before it is
   * whole, all that it lets the model write. Nothing where nobody may bill anything.
   */
  partial(): UsageReport {
    const { attempts, isStreamed, most } = this.#call
    if (attempts.chars.sent_chars + attempts.chars.unanswered_chars === 0) return NO_USAGE
    const isUnread = !isStreamed && !this.#hasRead
    return this.#withUnanswered(this.#estimate(isUnread ? (most().output ?? 0) : 0))
  }

  /** Four characters a token, but no more than the call can use, and no less than its provider has counted. */
  #estimate(leastOutput: number): UsageReport {
    const counted = usageIn(this.#counts)
    const { input: mostInput, output: mostOutput } = this.#call.most()
    const { sent_chars } = this.#call.attempts.chars
    const { promptTokens, completionTokens } = estimateUsage(sent_chars, this.#written_chars + this.#received_chars)
    const input = counted.promptTokens || Math.min(promptTokens, mostInput)
    const output = Math.min(Math.max(completionTokens, leastOutput), mostOutput ?? Number.POSITIVE_INFINITY)
    return { ...usageOf(input, Math.max(output, counted.completionTokens)), estimated: true }
  }

  /** With what those may bill who were sent the call and did not begin to answer, as far as it can be used at all. */
  #withUnanswered(usage: UsageReport): UsageReport {
    const { unanswered_chars } = this.#call.attempts.chars
    if (unanswered_chars === 0) return usage
    const { promptTokens } = estimateUsage(unanswered_chars, 0)
    const more = Math.min(promptTokens, Math.max(0, this.#call.most().input - usage.promptTokens))
    return addUsage(usage, { ...usageOf(more, 0), estimated: true })
  }
}
