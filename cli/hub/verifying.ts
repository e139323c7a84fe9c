import type { Logger } from 'pino'
import type { HubProvider } from '../../src/app/live.js'
import type { HubConfig } from '../../src/config/types.js'
import type { ChoresDone, Tasks } from '../../src/ops/tasks.js'
import { configOfPresent } from '../../src/tenants/config.js'
import { type RunningVerification, type Verified, verifyInThread } from '../../src/trust/verifyThread.js'

const DIFFERENCES_LOGGED_MAX = 20
const NOT_DONE = 'The verification could not be done: see the log of the hub.'

/** What became of one log. */
type Outcome = { readonly verified: Verified; readonly seconds: number } | { readonly error: unknown }

/**
 * Verifies the log and the read tables of a running hub, and then those of each of its tenants, one after another: `begin` begins it,
 * unless it is under way, and `stop` gives up what is. What is found is logged, and noted in `done`.
 */
export function verifying(
  live: Pick<HubProvider, 'hub' | 'tenants'>,
  logger: Logger,
  done: Pick<ChoresDone, 'verification'>,
  tasks: Pick<Tasks, 'worked' | 'failed'>
) {
  let running: Promise<void> | null = null
  let underWay: RunningVerification | null = null
  let isOver = false

  const verify = async (configOf: () => HubConfig): Promise<Outcome> => {
    const started_ms = performance.now()
    try {
      underWay = verifyInThread(configOf())
      const verified = await underWay.result
      return { verified, seconds: (performance.now() - started_ms) / 1000 }
    } catch (error) {
      return { error }
    }
  }
  const verifyAll = async (): Promise<void> => {
    const faults: string[] = []
    const errors: unknown[] = []
    const take = (outcome: Outcome, log: Logger, whose = ''): void => {
      const fault = 'error' in outcome ? NOT_DONE : faultOf(outcome.verified)
      if (fault !== null) faults.push(whose + fault)
      if ('error' in outcome) errors.push(outcome.error)
      else logResult(log, outcome.verified, outcome.seconds)
    }
    const own = await verify(() => live.hub.config)
    if (isOver) return
    take(own, logger)
    const { tenants } = live
    for (const row of (await tenants?.all()) ?? []) {
      if (isOver) return
      const outcome = await verify(() => configOfPresent(live.hub.config, row))
      // One that was moved or deleted meanwhile is taken away while it is read.
      if (isOver || !(await tenants?.isThere(row))) continue
      const log = logger.child({ tenant: row.tenant })
      if ('error' in outcome) log.error({ err: outcome.error }, 'the log of a tenant could not be verified')
      take(outcome, log, `Tenant ${row.tenant}: `)
    }
    if (isOver) return
    note('verified' in own ? own.verified.chain.position : null, faults)
    await (errors.length > 0 ? tasks.failed('verification', errors[0]) : tasks.worked('verification'))
  }
  const note = (position: number | null, [fault, ...others]: readonly string[]) => {
    const more = others.length > 0 ? ` And ${others.length} more: see the log of the hub.` : ''
    const text = fault === undefined ? 'The log and the read tables hold.' : fault + more
    done.verification = { at: new Date().toISOString(), status: fault === undefined ? 'ok' : 'failed', text, position }
  }
  return {
    begin() {
      running ??= verifyAll()
        .catch(async (error: unknown) => {
          if (isOver) return
          note(null, [NOT_DONE])
          await tasks.failed('verification', error)
        })
        .finally(() => {
          running = null
        })
    },
    async stop() {
      isOver = true
      await underWay?.stop()
      await running
    }
  }
}

/** What a verification has found wrong, in a sentence; null where all holds. */
function faultOf({ chain: { bad }, tables, failure }: Verified): string | null {
  if (bad) return `Event ${bad.position} does not hold. ${bad.reason}`
  if (failure !== null) return 'The log could not be replayed: see the log of the hub.'
  const rows = tables?.differences.length ?? 0
  return rows === 0
    ? null
    : `Rows of the read tables that differ from the log: ${rows}. hub projections verify names them.`
}

function logResult(logger: Logger, { chain, tables, failure }: Verified, seconds: number): void {
  const { bad, position, sealed } = chain
  if (bad) logger.error(bad, 'the log is not as it was written')
  if (failure !== null) logger.error({ failure }, 'the log could not be replayed')
  const differences = tables?.differences ?? []
  for (const { table, id, kind, columns } of differences.slice(0, DIFFERENCES_LOGGED_MAX))
    logger.error({ table, row: id, kind, columns }, 'a read table differs from the log')
  if (differences.length > DIFFERENCES_LOGGED_MAX)
    logger.error({ rows: differences.length }, 'more rows differ from the log: hub projections verify names them')
  if (bad || failure !== null || differences.length > 0) return
  logger.info({ position, sealed, rows: tables?.rows, seconds }, 'verified: the log and the read tables hold')
}
