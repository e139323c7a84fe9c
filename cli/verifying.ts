import type { Logger } from 'pino'
import type { HubProvider } from '../src/live.js'
import { type RunningVerification, type Verified, verifyInThread } from '../src/verifyThread.js'

const TOLD_MAX = 20

/** Verifies the log and the read tables of a running hub, one verification at a time. */
export class Verifying {
  readonly #live: Pick<HubProvider, 'hub'>
  readonly #logger: Logger
  #running: RunningVerification | null = null
  #isOver = false

  constructor(live: Pick<HubProvider, 'hub'>, logger: Logger) {
    this.#live = live
    this.#logger = logger
  }

  /** Begins one, unless one is on its way. What it finds is logged. */
  begin(): void {
    if (this.#running) return
    const started_ms = performance.now()
    const running = verifyInThread(this.#live.hub.config)
    this.#running = running
    running.result
      .then((verified) => {
        tell(this.#logger, verified, (performance.now() - started_ms) / 1000)
      })
      .catch((err: unknown) => {
        if (!this.#isOver) this.#logger.error({ err }, 'the regular verification failed')
      })
      .finally(() => {
        if (this.#running === running) this.#running = null
      })
  }

  /** Gives up what is on its way. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running?.stop()
  }
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
