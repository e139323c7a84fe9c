import { LIMITS } from '../limits.js'

/** Tokens of one or more calls, as a provider counts them. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
}

/** Tokens used, and whether any of them had to be estimated because a call ended before its provider had counted. */
export interface UsageReport extends Usage {
  readonly estimated: boolean
}

export const NO_USAGE: UsageReport = { promptTokens: 0, completionTokens: 0, totalTokens: 0, estimated: false }

/** True for no tokens at all. */
export function isNothing({ promptTokens, completionTokens, totalTokens }: Usage): boolean {
  return promptTokens + completionTokens + totalTokens === 0
}

const CHARS_PER_TOKEN = 4

/** The sum of two reports; estimated when one of them is. */
export function addUsage(one: UsageReport, other: Usage & Partial<UsageReport>): UsageReport {
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    estimated: one.estimated || (other.estimated ?? false)
  }
}

/** So many tokens that were sent, and written. */
export function usageOf(promptTokens: number, completionTokens: number): Usage {
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
}

/**
 * What a call that ended early has probably used: four characters a token, of the request as it was sent (JSON and all) and
 * of what was received, but never less than what the provider had already counted. Providers bill such calls as well.
 */
export function estimateUsage(sentChars: number, receivedChars: number, counted: Partial<Usage> = {}): UsageReport {
  const promptTokens = counted.promptTokens || tokens(sentChars)
  const completionTokens = Math.max(tokens(receivedChars), counted.completionTokens ?? 0)
  return { ...usageOf(promptTokens, completionTokens), estimated: true }
}

function tokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

/** What the turns of one account with one model took, older ones with less weight. */
interface Learned {
  readonly sent_bytes: number
  readonly promptTokens: number
  readonly completionTokens: number
}

/** What is expected at first: four bytes a token, as if some had been sent already, so that one small turn says little of large ones. */
const AT_FIRST: Learned = { sent_bytes: 40_000, promptTokens: 10_000, completionTokens: 1000 }
/** What remains of the weight of earlier turns with each that ends. */
const KEPT = 0.75

/** Expects of turns what such turns took. */
export class TurnSizes {
  readonly #learned = new Map<string, Learned>()

  /** The tokens that a turn will probably use, and how many of them are read, from the size of its request. */
  expected(userId: string, model: string, sent_bytes: number): { readonly tokens: number; readonly input: number } {
    const learned = this.#learned.get(keyOf(userId, model)) ?? AT_FIRST
    const read = (sent_bytes * learned.promptTokens) / learned.sent_bytes
    return { tokens: Math.ceil(read + learned.completionTokens), input: Math.ceil(read) }
  }

  /** Takes in what a turn has used. */
  learn(userId: string, model: string, sent_bytes: number, { promptTokens, completionTokens }: Usage): void {
    const key = keyOf(userId, model)
    const before = this.#learned.get(key) ?? AT_FIRST
    // The last one learned is the last one to be forgotten.
    this.#learned.delete(key)
    this.#learned.set(key, {
      sent_bytes: before.sent_bytes * KEPT + sent_bytes,
      promptTokens: before.promptTokens * KEPT + promptTokens,
      completionTokens: before.completionTokens * KEPT + completionTokens * (1 - KEPT)
    })
    const [oldest = key] = this.#learned.keys()
    if (this.#learned.size > LIMITS.turnsLearned.max) this.#learned.delete(oldest)
  }
}

function keyOf(userId: string, model: string): string {
  return `${userId} ${model}`
}
