import type { Logger } from 'pino'
import { appendCheckpoint, sendToWitness, signCheckpoint, signingKey } from '../src/audit/checkpoint.js'
import { eraseExpired } from '../src/erasure/retention.js'
import type { Hub } from '../src/hub.js'
import { releaseImages } from '../src/images/kept.js'
import type { HubProvider } from '../src/live.js'
import { ChoresDone } from '../src/ops/choresDone.js'
import { Verifying } from './verifying.js'

type Served = Pick<HubProvider, 'hub' | 'enter'>

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/**
 * What a running hub does from time to time, as its configuration says at that time: a signed checkpoint to the log output, a
 * file and a witness; once a day the erasure of what has expired, and of images that nobody shows; a verification of the log and the read tables. What goes wrong
 * is logged, and tried again when it is due next. What was done last is noted in `done`. Returns how to stop, which waits for what
 * is being done.
 */
export function startChores(
  live: Served,
  logger: Logger,
  minute_ms = MINUTE_MS,
  done = new ChoresDone()
): () => Promise<void> {
  let minutes = 0
  let doing: Promise<void> = Promise.resolve()
  const verifying = new Verifying(live, logger, done)
  const tick = () => {
    minutes++
    // Nobody may ask for long: a hub that is superseded learns of it all the same.
    live.hub.ledger.view.current().catch(() => {})
    const { audit } = live.hub.config
    const { checkpointEveryMinutes: every, retentionDays: days, verifyEvery } = audit
    if (every !== undefined && minutes % every === 0)
      doing = doing.then(() => logged(logger, () => withHub(live, (hub) => checkpoint(hub, logger, done))))
    // In the first minute too: a hub that is started anew every day would never come to it.
    if (days !== undefined && minutes % DAY_MINUTES === 1)
      doing = doing.then(() => logged(logger, () => withHub(live, (hub) => expire(hub, days, logger))))
    if (minutes % DAY_MINUTES === 1)
      doing = doing.then(() => logged(logger, () => withHub(live, ({ ledger }) => releaseImages(ledger))))
    if (verifyEvery !== undefined && minutes % verifyEvery === 0) verifying.begin()
  }
  const timer = setInterval(tick, minute_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await verifying.stop()
    await doing
  }
}

/** Works with the hub as it is now, whose connections stay open until that is done. */
async function withHub(live: Served, work: (hub: Hub) => Promise<void>): Promise<void> {
  const { hub, leave } = live.enter()
  try {
    await work(hub)
  } finally {
    leave()
  }
}

async function checkpoint({ config, ledger }: Hub, logger: Logger, done: ChoresDone): Promise<void> {
  const { checkpointKeyFile, checkpointFile, witness } = config.audit
  const head = await ledger.storage.head()
  const signed = signCheckpoint(head, signingKey(checkpointKeyFile), new Date().toISOString())
  logger.info({ checkpoint: signed }, 'checkpoint')
  done.checkpoint = { position: signed.position, at: signed.at }
  // Each for itself: where one of them cannot be reached, the other one gets it all the same.
  if (checkpointFile !== undefined) await logged(logger, () => appendCheckpoint(checkpointFile, signed))
  if (witness !== undefined) await logged(logger, () => sendToWitness(witness, signed))
}

async function expire({ ledger }: Hub, days: number, logger: Logger): Promise<void> {
  const expired = await eraseExpired(ledger, days)
  if (expired.names + expired.payloads > 0) logger.info(expired, 'erased what has expired')
}

async function logged(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (err) {
    logger.error({ err }, 'a regular task failed')
  }
}
