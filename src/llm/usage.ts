/** Tokens of one or more calls, as a provider counts them. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** The provider's own total, which may hold more than the sum of the two. */
  readonly totalTokens: number
}

/** Tokens used, and whether any of them had to be estimated because a call ended before its provider had counted. */
export interface UsageReport extends Usage {
  readonly estimated: boolean
}

export const NO_USAGE: UsageReport = { promptTokens: 0, completionTokens: 0, totalTokens: 0, estimated: false }

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

/** Usage from what a provider reports; a total that is missing or too small is the sum of the two. */
export function usageOf(promptTokens: number, completionTokens: number, totalTokens = 0): Usage {
  return { promptTokens, completionTokens, totalTokens: Math.max(totalTokens, promptTokens + completionTokens) }
}

/**
 * What a call that ended early has probably used: four characters a token, of the request as it was sent (JSON and all) and
 * of what was received, but never less than what the provider had already counted. Providers bill such calls as well.
 */
export function estimateUsage(sentChars: number, receivedChars: number, counted: Partial<Usage> = {}): UsageReport {
  const promptTokens = counted.promptTokens || tokens(sentChars)
  const completionTokens = Math.max(tokens(receivedChars), counted.completionTokens ?? 0)
  return { ...usageOf(promptTokens, completionTokens, counted.totalTokens), estimated: true }
}

function tokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}
