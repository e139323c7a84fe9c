import type { Logger } from 'pino'
import type { HubProvider } from '../src/live.js'
import type { ChoresDone } from '../src/ops/choresDone.js'
import type { Tasks } from '../src/ops/tasks.js'
import { type RunningVerification, type Verified, verifyInThread } from '../src/verifyThread.js'

const TOLD_MAX = 20

/** Verifies the log and the read tables of a running hub, one verification at a time. */
export class Verifying {
  readonly #live: Pick<HubProvider, 'hub'>
  readonly #logger: Logger
  readonly #done: Pick<ChoresDone, 'verification'>
  readonly #tasks: Pick<Tasks, 'worked' | 'failed'>
  #running: RunningVerification | null = null
  #isOver = false

  constructor(
    live: Pick<HubProvider, 'hub'>,
    logger: Logger,
    done: Pick<ChoresDone, 'verification'>,
    tasks: Pick<Tasks, 'worked' | 'failed'>
  ) {
    this.#tasks = tasks
    this.#live = live
    this.#logger = logger
    this.#done = done
  }

  /** Begins one, unless one is on its way. What it finds is logged, and noted. */
  begin(): void {
    if (this.#running) return
    const started_ms = performance.now()
    const running = verifyInThread(this.#live.hub.config)
    this.#running = running
    running.result
      .then((verified) => {
        tell(this.#logger, verified, (performance.now() - started_ms) / 1000)
        this.#note(verified.chain.position, faultOf(verified))
        return this.#tasks.worked('verification')
      })
      .catch((err: unknown) => {
        if (this.#isOver) return
        this.#note(null, 'The verification could not be done: see the log of the hub.')
        return this.#tasks.failed('verification', err)
      })
      .finally(() => {
        if (this.#running === running) this.#running = null
      })
  }

  #note(position: number | null, fault: string | null): void {
    const at = new Date().toISOString()
    const text = fault ?? 'The log and the read tables hold.'
    this.#done.verification = { at, status: fault === null ? 'ok' : 'failed', text, position }
  }

  /** Gives up what is on its way. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running?.stop()
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
