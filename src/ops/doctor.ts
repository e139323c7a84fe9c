import { type Check, type Checked, checkedWithin, type State, worst } from './check.js'
import { CONTENTS } from './contents.js'
import { DEPENDENCY_CHECKS } from './dependencies.js'
import type { DoctorPorts } from './doctorPorts.js'
import { PROBES } from './probes.js'
import { SETUP } from './setup.js'

/** Every check there is, in the order in which they are told. */
export const CHECKS: readonly Check<DoctorPorts>[] = [...SETUP, ...PROBES, ...CONTENTS, ...DEPENDENCY_CHECKS]

/** Long enough for 10,000 events, and for a tool server that is tried in two ways. */
const LIMIT_MS = 30_000

export interface Examination {
  readonly state: State
  readonly checks: readonly Checked[]
}

/** The checks of one log: what is asked of each tenant, since the rest is the hub's. */
const OF_A_LOG = new Set(['db', 'schema', 'log', 'chain', 'projections', 'search', 'images'])
export const LOG_CHECKS = CHECKS.filter(({ name }) => OF_A_LOG.has(name))

/** Asks every check, or those that are given, all at once; each has half a minute. Never rejects. */
export async function examine(ports: DoctorPorts, limit_ms = LIMIT_MS, asked = CHECKS): Promise<Examination> {
  const checks = await Promise.all(asked.map((check) => checkedWithin(check, check.run(ports), limit_ms)))
  return { state: worst(checks.map(({ state }) => state)), checks }
}
