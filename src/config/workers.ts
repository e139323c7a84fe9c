import type { HubConfig } from './types.js'

/** What several workers cannot share: the key that says it, and what to do. */
export interface Unshared {
  readonly path: readonly string[]
  readonly message: string
}

/** The first thing in a configuration that so many workers cannot share; null where they can share all of it. */
export function unshared({ redis }: Pick<HubConfig, 'redis'>, workers: number): Unshared | null {
  if (workers === 1 || redis.driver !== 'memory') return null
  return {
    path: ['redis', 'driver'],
    message: `Each of ${workers} workers would count failed authentications for itself. Name a Redis, or set server.workers to 1.`
  }
}
