/** What this share of some values stays within; 0 where there are none. */
export function within(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
}

/** The one in the middle of some values. */
export const median = (values: readonly number[]): number => within(values, 0.5)

/** How many milliseconds something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
