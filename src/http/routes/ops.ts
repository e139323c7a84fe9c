import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { NotReady } from '../../app/databases.js'
import type { HubProvider } from '../../app/live.js'
import { errors } from '../../errors.js'
import { VERSION } from '../../lib/version.js'
import type { Metrics } from '../../ops/metrics.js'
import { areMetricsServed, isMetricsToken } from '../../ops/metricsAccess.js'
import type { Readiness } from '../../ops/readiness.js'
import type { ChoresDone } from '../../ops/tasks.js'
import { lastBackup } from '../../trust/backup/made.js'
import { bearerToken } from '../auth.js'
import { health, readiness as readinessAnswer } from '../hubAnswers.js'
import type { RequestCounts } from '../observe.js'
import { openRoutes } from '../openRoute.js'
import { json } from '../reply.js'

/** What the probes and the metrics are made from. */
export interface Observed {
  readonly readiness: Readiness
  readonly requests: RequestCounts
  readonly followers: () => number
  readonly done: Readonly<ChoresDone>
}

const probe = { isProbe: true } as const
const answers = {
  health: { 200: health },
  readiness: { 200: readinessAnswer, 503: readinessAnswer },
  metrics: { 200: { 'text/plain': z.string() } }
}

/**
 * `GET /health` and `GET /healthz`, which depend on nothing; `GET /readyz`, 503 while something fails that requests need; and the
 * metrics for Prometheus, where they are served. None of them waits for room or counts as load. Throws `NotReady` where the
 * path of the metrics is one of the hub's own.
 */
export function opsRoutes(app: FastifyInstance, live: HubProvider, observed: Observed): void {
  const route = openRoutes(app, 'hub')
  for (const [url, operation] of [
    ['/health', 'getHealth'],
    ['/healthz', 'getLiveness']
  ] as const) {
    route('GET', url, operation, answers.health, {
      summary: 'Tell that the hub runs',
      about:
        'It depends on nothing, not even the database: where it does not answer the process is to be started again.',
      config: probe,
      handle: async () => json({ status: 'ok', version: VERSION })
    })
  }

  route('GET', '/readyz', 'getReadiness', answers.readiness, {
    summary: 'Tell whether everything works that requests need',
    about:
      '503 while something fails that requests need, such as the database: then send requests elsewhere. What is found is kept for a second, so it may be asked often.',
    config: probe,
    handle: async ({ reply }) => {
      const { isReady, checks } = await observed.readiness.ask()
      reply.header('cache-control', 'no-store')
      if (!isReady) reply.header('retry-after', '1')
      return json({ status: isReady ? 'ok' : 'error', version: VERSION, checks }, isReady ? 200 : 503)
    }
  })

  const { config } = live.hub
  if (!areMetricsServed(config)) return
  const { path, authToken } = config.metrics
  if (app.hasRoute({ method: 'GET', url: path }))
    throw new NotReady(`metrics.path: ${path} is a path of the hub's own. Choose another one.`)
  const metrics = metricsOf(live, observed)
  route('GET', path, 'getMetrics', answers.metrics, {
    summary: 'Get the metrics for Prometheus, with a token of their own where one is configured',
    about: 'The text format of Prometheus. Under `metrics.path` of the configuration, and only where that serves them.',
    refuses: [401],
    config: probe,
    handle: async ({ request: { headers }, reply }) => {
      if (authToken !== undefined && !isMetricsToken(bearerToken(headers.authorization), authToken))
        throw errors.unauthorized()
      const { contentType, text } = await metrics()
      reply.headers({ 'content-type': contentType, 'cache-control': 'no-store' }).send(await text())
      return null
    }
  })
}

/** Nothing is loaded or watched before somebody asks for the first time. */
function metricsOf(live: HubProvider, { readiness, requests, followers, done }: Observed): () => Promise<Metrics> {
  const momentNow = async () => {
    const ready = await readiness.ask()
    const { hub } = live
    // A database that does not answer is not waited for.
    const asked = ready.checks.db?.status === 'ok' ? lastBackup(hub.ledger.storage.state) : null
    const backup = await Promise.resolve(asked).catch(() => null)
    return { ready, hub, requests, followers: followers(), done, backup }
  }
  let made: Promise<Metrics> | undefined
  return () => {
    made ??= import('../../ops/metrics.js').then(({ createMetrics }) => createMetrics(momentNow))
    return made
  }
}
