import type { Logger } from 'pino'
import type { HubProvider } from '../src/live.js'
import type { ChoresDone, Tasks } from '../src/ops/tasks.js'
import { type RunningVerification, type Verified, verifyInThread } from '../src/verifyThread.js'

const TOLD_MAX = 20

/**
 * Verifies the log and the read tables of a running hub, one verification at a time: `begin` begins one, unless one is on its
 * way, and `stop` gives up what is. What is found is logged, and noted in `done`.
 */
export function verifying(
  live: Pick<HubProvider, 'hub'>,
  logger: Logger,
  done: Pick<ChoresDone, 'verification'>,
  tasks: Pick<Tasks, 'worked' | 'failed'>
) {
  let running: RunningVerification | null = null
  let isOver = false
  const note = (position: number | null, fault: string | null) => {
    const text = fault ?? 'The log and the read tables hold.'
    done.verification = { at: new Date().toISOString(), status: fault === null ? 'ok' : 'failed', text, position }
  }
  const verify = async ({ result }: RunningVerification) => {
    const started_ms = performance.now()
    try {
      const verified = await result
      tell(logger, verified, (performance.now() - started_ms) / 1000)
      note(verified.chain.position, faultOf(verified))
      await tasks.worked('verification')
    } catch (error) {
      if (isOver) return
      note(null, 'The verification could not be done: see the log of the hub.')
      await tasks.failed('verification', error)
    } finally {
      running = null
    }
  }
  return {
    begin() {
      if (running) return
      running = verifyInThread(live.hub.config)
      void verify(running)
    },
    async stop() {
      isOver = true
      await running?.stop()
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

function tell(logger: Logger, { chain, tables, failure }: Verified, seconds: number): void {
  const { bad, position, sealed } = chain
  if (bad) logger.error(bad, 'the log is not as it was written')
  if (failure !== null) logger.error({ failure }, 'the log could not be replayed')
  const differences = tables?.differences ?? []
  for (const { table, id, kind, columns } of differences.slice(0, TOLD_MAX))
    logger.error({ table, row: id, kind, columns }, 'a read table differs from the log')
  if (differences.length > TOLD_MAX)
    logger.error({ rows: differences.length }, 'more rows differ from the log: hub projections verify names them')
  if (bad || failure !== null || differences.length > 0) return
  logger.info({ position, sealed, rows: tables?.rows, seconds }, 'verified: the log and the read tables hold')
}
