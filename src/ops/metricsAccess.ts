import { createHash, timingSafeEqual } from 'node:crypto'
import type { HubConfig } from '../config/types.js'
import { isLoopback } from '../net/serverUrl.js'

type Exposure = Pick<HubConfig, 'server' | 'metrics'>

/**
 * True where metrics are served: where the configuration says so, or says nothing and either asks for a token or is reached from
 * this machine alone. They tell nobody's name, but what is used how much, and strangers need not know that.
 */
export function areMetricsServed({ server, metrics }: Exposure): boolean {
  return metrics.enabled ?? (metrics.authToken !== undefined || isLocal(server))
}

/** True where everybody who reaches the hub can read its metrics, and others than this machine do. */
export function areMetricsOpen(config: Exposure): boolean {
  return areMetricsServed(config) && config.metrics.authToken === undefined && !isLocal(config.server)
}

/** Compares in a time that tells nothing of how much of the token is right. */
export function isMetricsToken(given: string | null, expected: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(expected))
}

/** Behind a proxy the address of the hub says nothing about who reaches it. */
function isLocal({ host, trustedProxies }: HubConfig['server']): boolean {
  return trustedProxies.length === 0 && isLoopback(host)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
