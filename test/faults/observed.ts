import type { HubProcess } from './hubs.js'

/** An answer that a client got, or the lack of one; times in milliseconds of `performance.now()`. */
export interface Observation {
  readonly hub: string
  readonly from_ms: number
  readonly to_ms: number
  readonly status: number | null
  readonly isChange: boolean
  readonly text: string
  /** True where the hub itself was frozen or ended meanwhile. */
  readonly isDisturbed: boolean
}

/** What clients have seen so far. */
export interface Observed {
  readonly all: readonly Observation[]
  add(hub: HubProcess, one: Omit<Observation, 'hub' | 'isDisturbed'>): void
}

export function observed(): Observed {
  const all: Observation[] = []
  return {
    all,
    add(hub, one) {
      const { from_ms, to_ms } = hub.disturbed
      all.push({ ...one, hub: hub.name, isDisturbed: one.to_ms >= from_ms && one.from_ms <= to_ms })
    }
  }
}

/** The longest that somebody waited for an answer of a hub that ran, in whole milliseconds. */
export function longest_ms(all: readonly Observation[]): number {
  return Math.round(all.reduce((most, one) => (one.isDisturbed ? most : Math.max(most, one.to_ms - one.from_ms)), 0))
}

/** The longest that somebody waited until a hub that ran said 503, in whole milliseconds. */
export function unavailable_ms(all: readonly Observation[]): number {
  return longest_ms(all.filter(({ status }) => status === 503))
}

/** When each of these hubs has acknowledged a change that was sent after a moment; undefined as long as one has not. */
export function acknowledgedSince(
  all: readonly Observation[],
  since_ms: number,
  hubs: readonly HubProcess[]
): number | undefined {
  const times = hubs.map(
    ({ name }) =>
      all.find(({ hub, isChange, status, to_ms }) => {
        return hub === name && isChange && status !== null && status < 300 && to_ms >= since_ms
      })?.to_ms
  )
  return times.reduce<number | undefined>(
    (last, time) => (last === undefined || time === undefined ? undefined : Math.max(last, time)),
    since_ms
  )
}
