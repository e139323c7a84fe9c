import { type CountedThrottle, type FailuresWith, failuresWith, type Throttle } from './throttle.js'

/** The same throttle, which counts whom it turned away. */
export function counted(throttle: Throttle): CountedThrottle {
  const refused: Record<FailuresWith, number> = { oneSecret: 0, anySecret: 0, invitations: 0 }
  const blocks: Record<FailuresWith, number> = { oneSecret: 0, anySecret: 0, invitations: 0 }
  return {
    ...throttle,
    counts: { refused, blocks },
    async check(key) {
      const state = await throttle.check(key)
      if (state.blocked) refused[failuresWith(key)]++
      return state
    },
    async fail(counters) {
      const failure = await throttle.fail(counters)
      // The first of them was looked at just before.
      const last = counters.at(-1)
      if (failure.refused && last) refused[failuresWith(last.key)]++
      for (const key of failure.blocks) blocks[failuresWith(key)]++
      return failure
    }
  }
}
