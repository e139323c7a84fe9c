import { type CountedThrottle, type FailuresWith, failuresWith, type Throttle } from './throttle.js'

/** The same throttle, which counts whom it turned away. */
export function counted(throttle: Throttle): CountedThrottle {
  const refused: Record<FailuresWith, number> = { oneSecret: 0, anySecret: 0, invitations: 0 }
  const blocks: Record<FailuresWith, number> = { oneSecret: 0, anySecret: 0, invitations: 0 }
  return {
    ...throttle,
    counts: { refused, blocks },
    turnedAway: (kind) => void refused[kind]++,
    async fail(counters) {
      const failure = await throttle.fail(counters)
      for (const key of failure.blocks) blocks[failuresWith(key)]++
      return failure
    }
  }
}
