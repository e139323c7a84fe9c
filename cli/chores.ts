import type { Logger } from 'pino'
import { signCheckpoint, signingKey } from '../src/audit/checkpoint.js'
import { eraseExpired } from '../src/erasure/retention.js'
import type { LiveHub } from '../src/live.js'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/**
 * What a running hub does from time to time, as its configuration says at that time: a signed checkpoint to the log output,
 * and once a day the erasure of what has expired. What goes wrong is logged, and tried again when it is due next. Returns
 * how to stop, which waits for what is being done.
 */
export function startChores(live: Pick<LiveHub, 'hub'>, logger: Logger, minute_ms = MINUTE_MS): () => Promise<void> {
  let minutes = 0
  let doing: Promise<void> = Promise.resolve()
  const tick = () => {
    minutes++
    const { audit } = live.hub.config
    const { checkpointEveryMinutes: every, retentionDays: days } = audit
    if (every !== undefined && minutes % every === 0)
      doing = doing.then(() => logged(logger, () => checkpoint(live, logger)))
    // In the first minute too: a hub that is started anew every day would never come to it.
    if (days !== undefined && minutes % DAY_MINUTES === 1)
      doing = doing.then(() => logged(logger, () => expire(live, days, logger)))
  }
  const timer = setInterval(tick, minute_ms)
  timer.unref()
  return () => {
    clearInterval(timer)
    return doing
  }
}

async function checkpoint({ hub }: Pick<LiveHub, 'hub'>, logger: Logger): Promise<void> {
  const head = await hub.ledger.storage.head()
  const key = signingKey(hub.config.audit.checkpointKeyFile)
  logger.info({ checkpoint: signCheckpoint(head, key, new Date().toISOString()) }, 'checkpoint')
}

async function expire({ hub }: Pick<LiveHub, 'hub'>, days: number, logger: Logger): Promise<void> {
  const expired = await eraseExpired(hub.ledger, days)
  if (expired.names + expired.payloads > 0) logger.info(expired, 'erased what has expired')
}

async function logged(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (err) {
    logger.error({ err }, 'a regular task failed')
  }
}
