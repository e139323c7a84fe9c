import type { Child } from '../support/child.js'
import { drive, type Sample } from '../support/load.js'
import { median, within } from '../support/times.js'

/** What one side came to: the median of its rounds. */
export interface Side {
  readonly requestsPerSecond: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Processor time that its process took for one request; other processes on the machine hardly change it. */
  readonly cpu_us: number
  readonly requests: number
  /** Answers by each status that is not 2xx. */
  readonly refusals: Readonly<Record<string, number>>
}

export interface Comparison {
  readonly hub: Side
  readonly bare: Side
  /** The median of hub/bare, round by round: the speed of a shared machine drifts, but less within one round. */
  readonly ratio: number
  /** The lowest and the highest of these: how far the machine lets them be trusted. */
  readonly range: readonly [number, number]
}

export interface ComparisonSpec {
  readonly hub: Child
  readonly bare: Child
  readonly connections: number
  readonly seconds: number
  readonly rounds: number
  readonly signal: AbortSignal
  next(): string
}

interface Round {
  readonly sample: Sample
  readonly cpu_us: number
}

const WARM_UP_MAX_SECONDS = 2

/** Measures both sides in turns, each beginning every other round, after both are warm. */
export async function compare(spec: ComparisonSpec): Promise<Comparison> {
  const { hub, bare, connections, seconds, rounds, signal, next } = spec
  const measure = async ({ port, usage }: Child, duration: number): Promise<Round> => {
    signal.throwIfAborted()
    const before = await usage()
    const sample = await drive({ port, connections, seconds: duration, next })
    return { sample, cpu_us: (await usage()).cpu_us - before.cpu_us }
  }
  const warmUp = Math.min(seconds, WARM_UP_MAX_SECONDS)
  await measure(bare, warmUp)
  await measure(hub, warmUp)
  const ofHub: Round[] = []
  const ofBare: Round[] = []
  for (let i = 0; i < rounds; i++) {
    if (i % 2 === 1) ofBare.push(await measure(bare, seconds))
    ofHub.push(await measure(hub, seconds))
    if (i % 2 === 0) ofBare.push(await measure(bare, seconds))
  }
  const speeds = ofBare.map(({ sample }) => speed(sample))
  const ratios = ofHub.map(({ sample }, i) => speed(sample) / (speeds[i] ?? Number.NaN))
  return {
    hub: side(ofHub),
    bare: side(ofBare),
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)]
  }
}

function side(rounds: readonly Round[]): Side {
  const refusals: Record<string, number> = {}
  for (const { sample } of rounds) {
    for (const [status, count] of sample.refusals) refusals[status] = (refusals[status] ?? 0) + count
  }
  return {
    requestsPerSecond: median(rounds.map(({ sample }) => speed(sample))),
    p50_ms: median(rounds.map(({ sample }) => median(sample.latencies_ms))),
    p99_ms: median(rounds.map(({ sample }) => within(sample.latencies_ms, 0.99))),
    cpu_us: median(rounds.map(({ sample, cpu_us }) => cpu_us / sample.requests)),
    requests: rounds.reduce((sum, { sample }) => sum + sample.requests, 0),
    refusals
  }
}

function speed({ requests, seconds }: Sample): number {
  return requests / seconds
}
