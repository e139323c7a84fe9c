/** Something that there is only so much of, and how much of it is left for whoever asks. */
export interface Quota {
  readonly name: 'failed-authentications' | 'failed-authentications-of-address' | 'llm-tokens' | 'streams'
  readonly quota: number
  readonly left: number
  /** What is counted, where it is no requests. */
  readonly unit?: 'tokens' | 'concurrent-requests'
  readonly windowSeconds?: number
  /** When there is as much as ever again, where that is known. */
  readonly resetSeconds?: number
}

/** The headers that tell of quotas, as the IETF's draft of RateLimit fields for HTTP has them. */
export function rateLimitHeaders(quotas: readonly Quota[]): Readonly<Record<'ratelimit' | 'ratelimit-policy', string>> {
  return {
    'ratelimit-policy': quotas
      .map(({ name, quota, unit, windowSeconds }) =>
        parameters(name, { q: quota, qu: unit && `"${unit}"`, w: windowSeconds })
      )
      .join(', '),
    ratelimit: quotas
      .map(({ name, left, resetSeconds }) => parameters(name, { r: Math.max(0, left), t: resetSeconds }))
      .join(', ')
  }
}

function parameters(name: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return [`"${name}"`, ...given.map(([key, value]) => `${key}=${value}`)].join(';')
}

/** What is left of the tokens that an account may use in a UTC month, of which a time in milliseconds is a moment. */
export function monthlyTokens(limit: number, used: number, now_ms: number): Quota {
  const now = new Date(now_ms)
  const start_ms = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const end_ms = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  return {
    ...{ name: 'llm-tokens', quota: limit, left: limit - used, unit: 'tokens' },
    windowSeconds: (end_ms - start_ms) / 1000,
    resetSeconds: Math.ceil((end_ms - now_ms) / 1000)
  }
}
