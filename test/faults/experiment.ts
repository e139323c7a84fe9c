import type { Outcome } from './run.js'

/** Something that is done to hubs under load, and what is to come of it. */
export interface Experiment {
  /** What it is chosen by on the command line. */
  readonly name: string
  /** What the hubs depend on, as the page of faults names it. */
  readonly dependency: string
  readonly fault: string
  /** True where the engine itself may lose what it has acknowledged; hubs then serve nobody before that is accepted. */
  readonly mayLose?: boolean
  /** `kills` is how many kills those make that kill over and over. */
  run(seed: number, kills: number): Promise<Ran>
}

export interface Ran {
  /** The engine with its version. */
  readonly engine: string
  readonly outcome: Outcome
}
