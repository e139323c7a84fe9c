/** Seconds, from what a cache answers to what a chat takes. */
const BOUNDS_S = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60] as const

/** How long things took: how many of them, in all, and how many at most as long as each bound. Read when somebody collects it. */
export class Durations {
  readonly bounds: readonly number[] = BOUNDS_S
  /** How many took longer than the bound before, and at most this one. */
  readonly counts = new Array<number>(BOUNDS_S.length).fill(0)
  count = 0
  sum_s = 0

  add(seconds: number): void {
    this.count++
    this.sum_s += seconds
    let at = 0
    while (seconds > (this.bounds[at] ?? seconds)) at++
    const known = this.counts[at]
    if (known !== undefined) this.counts[at] = known + 1
  }
}
