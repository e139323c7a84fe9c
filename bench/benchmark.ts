/** What a benchmark is run with. */
export interface BenchOptions {
  /** Null: what there is, the strongest first. */
  readonly drivers: readonly Driver[] | null
  readonly seconds: number
  readonly rounds: number
  readonly connections: number
  /** How much is made that is measured on, 1 being the full size. */
  readonly scale: number
  /** Names of the rows to measure; empty for all. */
  readonly only: readonly string[]
  /** One JSON document instead of tables. */
  readonly json: boolean
  /** Where the processes measured leave their CPU profiles; undefined for none. */
  readonly profile: string | undefined
  /** A file of ratios that those measured are held against; undefined for none. */
  readonly check: string | undefined
  /** Aborted when the run is interrupted. */
  readonly signal: AbortSignal
  /** Prints what was asked for. */
  print(text: string): void
  /** Tells whoever waits how far it has come. */
  progress(text: string): void
}

export const DRIVERS = ['sqlite', 'postgres'] as const
export type Driver = (typeof DRIVERS)[number]

/** Something to measure. It rejects when it could not be measured; a result that disappoints is a result. */
export interface Benchmark {
  readonly name: string
  readonly summary: string
  run(options: BenchOptions): Promise<void>
}
