import { UnreadableAnswer } from './failure.js'
import { openAiUsage, type StreamChunk, streamChunkOf, toolCallOf } from './openaiReply.js'
import type { Completion } from './provider.js'
import type { AnswerInPieces, News } from './sdkProvider.js'
import type { Usage } from './usage.js'

interface CallInPieces {
  readonly index: number | null
  id: string
  type: string
  name: string
  arguments: string
}

type CallDelta = NonNullable<
  NonNullable<NonNullable<NonNullable<StreamChunk['choices']>[number]['delta']>['tool_calls']>
>[number]

/** Puts the pieces of a streamed chat completion together. */
export class CompletionInPieces implements AnswerInPieces {
  #content: string | null = null
  #counted: Usage | null = null
  #begun = false
  #finished = false
  readonly #calls: CallInPieces[] = []

  get counted(): Usage | null {
    return this.#counted
  }

  take(piece: unknown): News {
    const { choices, usage } = streamChunkOf(piece)
    this.#begun ||= choices != null && choices.length > 0
    // Some providers count on every piece, others on the last; each count is of the whole.
    if (usage) this.#counted = openAiUsage(usage)
    const [choice] = choices ?? []
    if (choice?.finish_reason) this.#finished = true
    const { content, reasoning_content, reasoning, tool_calls } = choice?.delta ?? {}
    if (typeof content === 'string') this.#content = (this.#content ?? '') + content
    const args = (tool_calls ?? []).map((delta) => this.#takeCall(delta))
    return { text: content, thought: reasoning_content ?? reasoning, rest: args.join('') }
  }

  whole(): Completion {
    if (!this.#begun) throw new UnreadableAnswer('sent an empty answer. Try again.')
    if (!this.#finished) throw new UnreadableAnswer('ended its answer before it was complete. Try again.')
    return {
      content: this.#content,
      toolCalls: this.#calls.flatMap(({ id, type, name, arguments: args }) =>
        toolCallOf({ id, type, function: { name, arguments: args } })
      ),
      usage: this.#counted ?? openAiUsage(null)
    }
  }

  #takeCall({ index = null, id, type, function: called }: CallDelta): string {
    const piece = called?.arguments ?? ''
    const known = this.#calls.findLast((call) => index === null || call.index === index)
    // Gemini numbers parallel calls alike, or not at all: there a new id is what begins a new call.
    if (!known || (id && known.id !== '' && known.id !== id)) {
      this.#calls.push({ index, id: id ?? '', type: type ?? 'function', name: called?.name ?? '', arguments: piece })
    } else {
      known.id ||= id ?? ''
      known.name ||= called?.name ?? ''
      known.arguments += piece
    }
    return piece
  }
}
