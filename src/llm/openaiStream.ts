import { LIMITS } from '../limits.js'
import { tooManyParts, UnreadableAnswer } from './failure.js'
import { type CallDelta, openAiUsage, streamChunkOf, toolCallOf } from './openaiReply.js'
import type { Completion } from './provider.js'
import type { AnswerInPieces, News } from './sdkProvider.js'
import { TextInPieces } from './textInPieces.js'
import type { Usage } from './usage.js'

interface CallInPieces {
  readonly index: number | null
  id: string
  type: string
  name: string
  readonly arguments: TextInPieces
}

/** Puts the pieces of a streamed chat completion together. */
export class CompletionInPieces implements AnswerInPieces {
  readonly #content = new TextInPieces()
  #hasContent = false
  #counted: Usage | null = null
  #begun = false
  #finished = false
  readonly #calls: CallInPieces[] = []

  get counted(): Usage | null {
    return this.#counted
  }

  take(piece: unknown): News {
    const { content, reasoning_content, reasoning, calls, usage, isAnswer, isLast } = streamChunkOf(piece)
    this.#begun ||= isAnswer
    this.#finished ||= isLast
    // Some providers count on every piece, others on the last; each count is of the whole.
    if (usage) this.#counted = usage
    if (typeof content === 'string') {
      this.#content.add(content)
      this.#hasContent = true
    }
    const args = calls.map((delta) => this.#takeCall(delta))
    return { text: content, thought: reasoning_content ?? reasoning, rest: args.join('') }
  }

  whole(): Completion {
    if (!this.#begun) throw new UnreadableAnswer('sent an empty answer. Try again.')
    if (!this.#finished) throw new UnreadableAnswer('ended its answer before it was complete. Try again.')
    return {
      content: this.#hasContent ? this.#content.whole() : null,
      toolCalls: this.#calls.flatMap(({ id, type, name, arguments: args }) =>
        toolCallOf({ id, type, function: { name, arguments: args.whole() } })
      ),
      usage: this.#counted ?? openAiUsage(null)
    }
  }

  #takeCall({ index = null, id, type, function: called }: CallDelta): string {
    const piece = called?.arguments ?? ''
    // A piece belongs to the last call nearly always, and there are no more calls than may be looked through for it.
    let call = this.#calls.findLast((one) => index === null || one.index === index)
    // Gemini numbers parallel calls alike, or not at all: there a new id is what begins a new call.
    if (!call || (id && call.id !== '' && call.id !== id)) {
      if (this.#calls.length === LIMITS.answerParts.max) throw tooManyParts()
      call = { index, id: '', type: type ?? 'function', name: '', arguments: new TextInPieces() }
      this.#calls.push(call)
    }
    call.id ||= id ?? ''
    call.name ||= called?.name ?? ''
    call.arguments.add(piece)
    return piece
  }
}
