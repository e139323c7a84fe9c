import type { ChatRequest, ToolCall } from '../../../src/llm/messages.js'
import { CallAborted, type Completion, type Provider } from '../../../src/llm/provider.js'
import type { HubTool, HubToolResult, HubTools } from '../../../src/llm/tools.js'
import { estimateUsage, usageOf } from '../../../src/llm/usage.js'

export type Reply = Partial<Completion> | Error | 'hang'

interface Scripted extends Provider {
  /** What was asked, call by call. */
  readonly asked: readonly ChatRequest[]
}

/** A provider that answers one turn of the script after the other, the last one for ever; ten tokens in, five out. */
export function scripted(...turns: readonly Reply[]): Scripted {
  const asked: ChatRequest[] = []
  const next = async (request: ChatRequest, signal: AbortSignal): Promise<Completion> => {
    const turn = turns[Math.min(asked.length, turns.length - 1)] ?? 'hang'
    asked.push(structuredClone(request))
    if (turn instanceof Error) throw turn
    if (turn === 'hang') return hangUntil(signal)
    return { content: null, toolCalls: [], usage: usageOf(10, 5), ...turn }
  }
  return {
    asked,
    async complete(request, signal, tell) {
      const completion = await next(request, signal)
      for (const chunk of (tell && completion.content?.match(/.{1,4}/gsu)) ?? []) {
        if (signal.aborted) throw new CallAborted(estimateUsage(4, 4))
        await tell?.({ type: 'text', chunk })
      }
      return completion
    }
  }
}

function hangUntil(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new CallAborted(estimateUsage(400, 0)))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
}

/** Hub tools by name, with what they answer; what was called is noted. */
export function hubToolsOf(
  answers: Readonly<Record<string, (args: unknown, signal: AbortSignal) => Promise<HubToolResult>>>
): HubTools & { readonly called: readonly (readonly [string, unknown])[] } {
  const called: (readonly [string, unknown])[] = []
  const tools = Object.entries(answers).map(([name, answer]): readonly [string, HubTool] => [
    name,
    {
      definition: { type: 'function', function: { name } },
      call(args, signal) {
        called.push([name, args])
        return answer(args, signal)
      }
    }
  ])
  const byName = new Map(tools)
  return {
    called,
    async offered(clientTools) {
      return {
        tools: [...tools.map(([, { definition }]) => definition), ...clientTools],
        find: (name) => byName.get(name) ?? null
      }
    }
  }
}

/** A call of a tool. */
export function call(name: string, args = '{}', id = `call_${name}`): ToolCall {
  return { id, name, arguments: args }
}
