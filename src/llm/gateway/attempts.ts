import type { Target } from '../targets.js'
import type { AnsweredBy } from './settling.js'

/** Who was asked for one call until now, and how much was sent, in characters, to those of them who may bill it. */
export class Attempts {
  #last: AnsweredBy | null = null
  #sent_chars = 0
  #unanswered_chars = 0

  /** Who was asked last, and how often somebody was; null before the first. */
  get last(): AnsweredBy | null {
    return this.#last
  }

  /** What was sent to the last, and to those before who did not begin to answer. */
  get chars(): { readonly sent_chars: number; readonly unanswered_chars: number } {
    return { sent_chars: this.#sent_chars, unanswered_chars: this.#unanswered_chars }
  }

  /** Somebody is sent the call. */
  begin(target: Target, sent_chars: number): AnsweredBy {
    this.#unanswered_chars += this.#sent_chars
    this.#sent_chars = sent_chars
    this.#last = { target, attempts: (this.#last?.attempts ?? 0) + 1 }
    return this.#last
  }

  /** Who was asked last has refused it, or did not get it, and bills nothing. */
  wasFree(): void {
    this.#sent_chars = 0
  }
}
