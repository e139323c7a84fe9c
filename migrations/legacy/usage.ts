import { emitImported } from '../../commands/takeover/events.js'
import type { Sink } from './sink.js'
import type { LegacySource } from './source.js'

/** Takes the use of models over. */
export async function usage(source: LegacySource, sink: Sink): Promise<void> {
  const logged = new Map<string, number>()
  for await (const { id, apiTokenId: tokenId, tenantId: _, ...step } of source.records('llm_usage_log')) {
    const month = `${step.period}:${step.userId}`
    logged.set(month, (logged.get(month) ?? 0) + step.promptTokens + step.completionTokens)
    const data = { ...step, tokenId, outcome: 'completed', estimated: false }
    await sink.add(source, 'llm_usage_log', emitImported(id, 'LlmStepImported', data))
  }
  for await (const { userId, period, promptTokens, completionTokens, totalTokens } of source.records('llm_usage')) {
    const month = `${period}:${userId}`
    const unloggedTokens = totalTokens - (logged.get(month) ?? 0)
    if (unloggedTokens !== 0) {
      const why = `${month} has ${totalTokens} tokens, its log ${totalTokens - unloggedTokens}: the rollup counts`
      source.report('llm_usage').notes.push(why)
    }
    const data = { userId, period, promptTokens, completionTokens, totalTokens, unloggedTokens }
    await sink.add(source, 'llm_usage', emitImported(month, 'LlmUsageImported', data))
  }
}
