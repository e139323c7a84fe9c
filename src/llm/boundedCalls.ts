import { mapInTurns } from '../lib/turns.js'
import { mostInput } from './gateway/bound.js'
import type { ChatRequest } from './messages.js'
import { openAiBody } from './openai.js'
import type { Provider } from './provider.js'
import { LEAST_OUTPUT, type Reservation, USUAL_OUTPUT } from './reservation.js'
import { addUsage, NO_USAGE } from './usage.js'

/**
 * The provider as a step asks it that budgets count: before each call the most is reserved that the step can have used behind it, and
 * the model may write no more; what nothing counts any more has no bound. Rejects where that is not left for the `first` call of the
 * step.
 */
export async function boundedCalls(
  provider: Provider,
  first: ChatRequest,
  reservation: Pick<Reservation, 'reserve'>
): Promise<Provider> {
  let used = NO_USAGE
  const outputFor = async (request: ChatRequest) => {
    const { messages, ...rest } = openAiBody(request)
    // With what stands between two of them.
    const ofEach = await mapInTurns(messages, (one) => mostInput(one) + 1)
    const input = ofEach.reduce((sum, one) => sum + one, used.promptTokens + mostInput({ ...rest, messages: [] }))
    const before = input + used.completionTokens
    const asked = { input, tokens: before + USUAL_OUTPUT, atLeast: before + LEAST_OUTPUT }
    const held = await reservation.reserve(asked)
    return held > 0 ? { mostOutput: Math.max(LEAST_OUTPUT, held - before) } : {}
  }
  let ofFirst: Awaited<ReturnType<typeof outputFor>> | null = await outputFor(first)
  return {
    async complete(request, signal, tell) {
      const bound = ofFirst ?? (await outputFor(request))
      ofFirst = null
      const completion = await provider.complete({ ...request, ...bound }, signal, tell)
      used = addUsage(used, completion.usage)
      return completion
    }
  }
}
