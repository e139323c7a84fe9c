/** An operation on one object: `after` is the state that it leaves, null where it cannot have had its outcome in that state. */
export interface Step<State> {
  readonly from: number
  readonly to: number
  /** True where nobody knows whether it happened. */
  readonly isOptional: boolean
  readonly after: (state: State) => State | null
}

/** So many states are looked at before the question is left open. */
const STATES_MAX = 200_000

/**
 * Whether there is an order of the operations that agrees with time and in which each has the outcome that it had; null where too many
 * orders would have to be tried. The search of Wing and Gong, with Lowe's memory: what was done, and what it came to, is tried once.
 */
export function isLinearizable<State>(
  steps: readonly Step<State>[],
  first: State,
  key: (state: State) => string,
  statesMax = STATES_MAX
): boolean | null {
  const needed = steps.reduce((all, { isOptional }, i) => (isOptional ? all : all | (1n << BigInt(i))), 0n)
  const tried = new Set<string>()
  const waiting: { readonly done: bigint; readonly state: State }[] = [{ done: 0n, state: first }]
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const { done, state } = one
    if ((done & needed) === needed) return true
    const open = steps.filter((_, i) => (done & (1n << BigInt(i))) === 0n)
    // Whatever was sent after another had ended comes after it.
    const firstEnd = Math.min(...open.map(({ to }) => to))
    for (const [i, step] of steps.entries()) {
      if ((done & (1n << BigInt(i))) !== 0n || step.from > firstEnd) continue
      const after = step.after(state)
      if (after === null) continue
      const next = { done: done | (1n << BigInt(i)), state: after }
      const name = `${next.done} ${key(after)}`
      if (tried.has(name)) continue
      if (tried.size >= statesMax) return null
      tried.add(name)
      waiting.push(next)
    }
  }
  return false
}
