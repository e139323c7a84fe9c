import type { Logger } from 'pino'
import { HUB_ID } from '../../commands/tenants/hub/events.js'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import type { Hub } from '../../src/app/hub.js'
import type { HubProvider } from '../../src/app/live.js'
import type { HubConfig } from '../../src/config/types.js'
import { ChoresDone, type Task, Tasks } from '../../src/ops/tasks.js'
import { releaseImages } from '../../src/records/images/shown.js'
import { forgetEnded, recheckSessions } from '../../src/signIn/recheck.js'
import { eachTenant, onceADay } from '../../src/tenants/daily.js'
import { appendCheckpoint, sendToWitness, signCheckpoint, signingKey } from '../../src/trust/audit/checkpoint.js'
import { finishErasures } from '../../src/trust/erasure/finish.js'
import { eraseExpired } from '../../src/trust/erasure/retention.js'
import { verifying } from './verifying.js'

type Served = Pick<HubProvider, 'hub' | 'enter' | 'tenants'>

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/**
 * What a running hub does from time to time, as its configuration says at that time: a signed checkpoint to the log output, a
 * file and a witness; once a day the erasure of what has expired or was left by one that was interrupted, of images that nobody
 * shows, and of what sessions that are over were asked again by; a verification of the log and the read tables; and providers are
 * asked again of sessions. What goes wrong is logged, counted and noted in the database, and tried again when it is due next. What
 * was done last is noted in `done`. Returns how to stop, which waits for what is being done.
 */
export function startChores(
  live: Served,
  logger: Logger,
  minute_ms = MINUTE_MS,
  done = new ChoresDone()
): () => Promise<void> {
  let minutes = 0
  let doing: Promise<void> = Promise.resolve()
  const tasks = new Tasks(logger, done, () => live.hub.ledger.storage.state)
  const verification = verifying(live, logger, done, tasks)
  const ending = new AbortController()
  const run = (task: Task, work: () => Promise<unknown>) => tasks.run(task, work, ending.signal)
  const sign = (hub: Hub, noted?: ChoresDone) => checkpoint(hub, logger, tasks, ending.signal, noted)
  const signing = oneAtATime(() =>
    run('checkpoint', () => withHub(live, (hub) => sign(hub, done))).then(() =>
      run('tenants', async () => live.tenants?.eachOpen((hub) => sign(hub)))
    )
  )
  const rechecking = oneAtATime(() => run('sign-ins', () => withHub(live, (hub) => recheck(hub, ending.signal))))
  let visiting = live.hub.config.webhooks ? visitTenants(live, logger, tasks, ending.signal) : Promise.resolve()
  const tick = () => {
    minutes++
    // Nobody may ask for long: a hub that is superseded learns of it all the same.
    live.hub.ledger.readModel.current().catch(() => {})
    const { audit } = live.hub.config
    const { checkpointEveryMinutes: every, verifyEvery } = audit
    if (every !== undefined && minutes % every === 0) signing.begin()
    // In the first minute too: a hub that is started anew every day would never come to it.
    if (minutes % DAY_MINUTES === 1) {
      visiting = visiting.then(() =>
        run('upkeep of tenants', () => lookAfterTenants(live, logger, tasks, ending.signal))
      )
      doing = doing.then(() => run('erasure', () => withHub(live, (hub) => expire(hub, logger, ending.signal))))
      doing = doing.then(() => run('sign-ins', () => withHub(live, ({ ledger }) => forgetEnded(ledger))))
      doing = doing.then(() => run('images', () => withHub(live, ({ ledger }) => releaseImages(ledger))))
    }
    if (live.hub.config.signIn?.recheckMinutes !== undefined) rechecking.begin()
    if (verifyEvery !== undefined && minutes % verifyEvery === 0) verification.begin()
    for (const task of notToDo(live.hub.config)) void tasks.forget(task)
  }
  const timer = setInterval(tick, minute_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    ending.abort()
    await visiting
    await rechecking.ended()
    await signing.ended()
    await verification.stop()
    await doing
  }
}

/** The tasks that a configuration has nothing of. What sessions were asked again by is forgotten whatever it says. */
function notToDo({ audit, multitenancy }: HubConfig): readonly Task[] {
  const { checkpointEveryMinutes, checkpointFile, witness, verifyEvery } = audit
  const planned: readonly (readonly [Task, unknown])[] = [
    ['checkpoint', checkpointEveryMinutes],
    ['checkpoint file', checkpointFile],
    ['witness', witness],
    ['tenants', multitenancy.enabled || undefined],
    ['upkeep of tenants', multitenancy.enabled || undefined],
    ['verification', verifyEvery]
  ]
  return planned.flatMap(([task, plan]) => (plan === undefined ? [task] : []))
}

/** Work that is begun again and again, but not while it is under way; `ended` resolves once it is not. */
function oneAtATime(work: () => Promise<void>) {
  let running: Promise<void> | null = null
  return {
    begin() {
      running ??= work().finally(() => {
        running = null
      })
    },
    ended: async () => running
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

/** Has every tenant opened once: what a process before this one has left to be delivered goes on. */
async function visitTenants({ tenants }: Served, logger: Logger, tasks: Tasks, ended: AbortSignal): Promise<void> {
  if (!tenants) return
  const failed = (err: unknown, { tenant }: TenantRow) => logger.error({ err, tenant }, 'a tenant cannot be opened')
  await tasks.run('tenants', () => eachTenant(tenants, async () => {}, failed, ended))
}

/**
 * What is done for the hub itself once a day, for each of its tenants: each as the hub is by then. Rejects where it failed for any,
 * once all had their turn.
 */
async function lookAfterTenants(live: Served, logger: Logger, tasks: Tasks, ended: AbortSignal): Promise<void> {
  const { tenants } = live
  if (!tenants) return
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)
  const look = (own: Hub, row: TenantRow) =>
    withHub(live, (hub) =>
      onceADay(hub, row, day, async () => {
        await expire(own, logger, ended)
        await releaseImages(own.ledger)
        // One that is open for less than the time between two of them would never have any.
        if (own.config.audit.checkpointEveryMinutes !== undefined) await checkpoint(own, logger, tasks, ended)
      })
    )
  const left: string[] = []
  const failed = (err: unknown, { tenant }: TenantRow) => {
    if (ended.aborted) return
    logger.error({ err, tenant }, 'a regular task failed')
    left.push(tenant)
  }
  await eachTenant(tenants, look, failed, ended)
  if (left.length > 0) throw new Error(`It failed for ${left.length} of the tenants: ${left.join(', ')}.`)
}

async function checkpoint(
  hub: Hub,
  logger: Logger,
  tasks: Tasks,
  ended: AbortSignal,
  done?: ChoresDone
): Promise<void> {
  if (ended.aborted) return
  const { config, ledger, tenant } = hub
  const { checkpointKeyFile, checkpointFile, witness } = config.audit
  const head = await ledger.storage.head()
  const signed = signCheckpoint(head, signingKey(checkpointKeyFile), new Date().toISOString())
  const whose = tenant.id === HUB_ID ? {} : { tenant: tenant.id }
  logger.info({ ...whose, checkpoint: signed }, 'checkpoint')
  if (done) done.checkpoint = { position: signed.position, at: signed.at }
  // Each for itself: where one of them cannot be reached, the other one gets it all the same.
  if (checkpointFile !== undefined) await tasks.run('checkpoint file', () => appendCheckpoint(checkpointFile, signed))
  if (witness !== undefined) await tasks.run('witness', () => sendToWitness(witness, signed, ended), ended)
}

/** Providers are asked again of the sessions that are due. */
async function recheck({ ledger, signIn }: Hub, ended: AbortSignal): Promise<void> {
  const recheckMinutes = signIn?.config.recheckMinutes
  if (signIn && recheckMinutes !== undefined) await recheckSessions(ledger, signIn, recheckMinutes, ended)
}

/** Erases what has expired, where anything does, and what an erasure that was interrupted has left. */
async function expire({ ledger, config }: Hub, logger: Logger, ended: AbortSignal): Promise<void> {
  const { retentionDays: days } = config.audit
  const erased = await (days === undefined
    ? finishErasures(ledger, ended)
    : eraseExpired(ledger, days, undefined, ended))
  if (erased.names + erased.payloads > 0) logger.info(erased, 'erased what has expired, or was left to erase')
}
