import { LIMITS } from '../limits.js'
import type { Usage } from './usage.js'

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

  /** The tokens that a turn will probably use, from the size of its request. */
  expected(userId: string, model: string, sent_bytes: number): number {
    const learned = this.#learned.get(keyOf(userId, model)) ?? AT_FIRST
    return Math.ceil((sent_bytes * learned.promptTokens) / learned.sent_bytes + learned.completionTokens)
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
