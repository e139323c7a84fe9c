import type { Hub } from '../app/hub.js'
import type { Durations } from '../lib/histogram.js'
import { VERSION } from '../lib/version.js'
import type { ModelCalls } from '../llm/callCounts.js'
import { outgoing } from '../net/outgoing.js'
import type { MadeBackup } from '../trust/backup/made.js'
import type { Ready } from './readiness.js'
import type { ChoresDone } from './tasks.js'

/** The requests that one route has answered with one status. */
export interface RequestCount {
  readonly method: string
  /** The pattern of the route, not the URL. */
  readonly route: string
  readonly status: number
  readonly count: number
  /** How long they took, streams that stay open not among them. */
  readonly durations: Durations
}

/** What metrics are read from, as it is at the moment of the question. */
export interface Moment {
  readonly hub: Hub
  readonly ready: Ready
  readonly requests: Iterable<RequestCount>
  /** How many follow the feed of changes. */
  readonly followers: number
  /** What this process has done last of what it does from time to time. */
  readonly done: Readonly<ChoresDone>
  /** The last backup that was noted in the database; null where none was, or nobody can say. */
  readonly backup: MadeBackup | null
}

type Labels = Readonly<Record<string, string>>
type Sample<V> = readonly [value: V, labels?: Labels]

/** One metric: what it is called, and how it is read. Nothing is counted for it alone. */
export type Measure = { readonly name: string; readonly help: string } & (
  | { readonly kind: 'counter' | 'gauge'; readonly read: (moment: Moment) => Iterable<Sample<number>> }
  | { readonly kind: 'histogram'; readonly read: (moment: Moment) => Iterable<Sample<Durations>> }
)

const writes = ({ hub }: Moment) => hub.ledger.writes()
const cache = ({ hub }: Moment) => hub.ledger.readModel.cacheCounts
const pool = ({ hub }: Moment) => hub.ledger.storage.pool()
const documents = ({ hub }: Moment) => hub.ledger.storage.documents()
const calls = ({ hub }: Moment) => [...(hub.llm?.calls.all ?? [])]
const deliveries = ({ hub }: Moment) => hub.webhooks?.counts

/** Every metric of the hub's own. Those that mean what other hubs' metrics mean have their names. */
export const MEASURES: readonly Measure[] = [
  counter('team_hub_http_requests_total', 'Requests that were answered.', ({ requests }) =>
    Array.from(requests, (one) => [one.count, routeOf(one)])
  ),
  histogram(
    'team_hub_http_request_duration_seconds',
    'How long answers took, streams that stay open not among them.',
    ({ requests }) => Array.from(requests, (one) => [one.durations, routeOf(one)])
  ),
  gauge('team_hub_sse_connections', 'Connections that follow the feed of changes.', ({ followers }) => followers),
  gauge('team_hub_outgoing_bytes', 'What waits to be taken by clients.', () => outgoing.waiting),

  counter('team_hub_log_commits_total', 'Commits of this process.', (now) => writes(now).commits),
  counter(
    'team_hub_log_commands_total',
    'Commands that were carried out by these commits.',
    (now) => writes(now).commands
  ),
  counter('team_hub_log_events_total', 'Events that were written by these commits.', (now) => writes(now).events),
  counter(
    'team_hub_log_conflicts_total',
    'Batches that were decided again because another process was faster.',
    (now) => writes(now).conflicts
  ),
  counter('team_hub_log_failures_total', 'Batches that could not be committed.', (now) => writes(now).failures),
  histogram(
    'team_hub_log_commit_duration_seconds',
    'How long the database took for a commit.',
    (now) => writes(now).durations
  ),
  gauge('team_hub_log_queue', 'Commands that wait to be decided.', (now) => writes(now).queued),
  gauge('team_hub_log_queue_bytes', 'What the commands bring that are not settled.', (now) => writes(now).queued_bytes),
  gauge(
    'team_hub_log_position',
    'Where the log ends, as this process knows it.',
    ({ hub }) => hub.ledger.readModel.head.position
  ),
  gauge(
    'team_hub_log_went_back',
    '1 while nothing is read or written because the log does not hold what this process knew of it.',
    ({ hub }) => (hub.ledger.readModel.isBehindKnown ? 1 : 0)
  ),

  gauge(
    'team_hub_search_behind_events',
    'How many events the search index lacks, as this process has seen it last; all of them while it is made anew.',
    ({ hub: { ledger } }) => Math.max(0, ledger.readModel.head.position - ledger.indexer.counts.position)
  ),
  counter(
    'team_hub_search_failures_total',
    'How often the search index could not be brought forward.',
    ({ hub }) => hub.ledger.indexer.counts.failures
  ),
  counter('team_hub_cache_hits_total', 'Reads that the cache answered.', (now) => cache(now).hits),
  counter('team_hub_cache_misses_total', 'Reads that the cache could not answer.', (now) => cache(now).misses),
  counter('team_hub_cache_evictions_total', 'What the cache gave up for want of room.', (now) => cache(now).evictions),
  gauge('team_hub_cache_entries', 'What the cache holds.', (now) => cache(now).entries),
  gauge('team_hub_cache_bytes', 'How large that is, about.', (now) => cache(now).bytes),
  gauge('team_hub_db_pool_connections', 'Connections that readers share, and questions that wait for one.', (now) => {
    const counts = pool(now)
    if (!counts) return null
    const { backend, active, idle, waiting } = counts
    return each({ active, idle, waiting }, (state) => ({ state, backend }))
  }),
  gauge('team_hub_db_pool_max', 'How many connections readers share at most.', (now) => pool(now)?.max),

  counter('team_hub_firestore_documents_total', 'Documents that are paid for.', (now) => {
    const counts = documents(now)
    return counts && each({ read: counts.read, written: counts.written, deleted: counts.deleted }, byKind)
  }),
  counter('team_hub_firestore_requests_total', 'Requests to Firestore.', (now) => {
    const counts = documents(now)
    return counts && each({ commit: counts.commits, question: counts.questions }, byKind)
  }),

  counter(
    'team_hub_auth_throttled_total',
    'Requests that were turned away because of failed authentications before.',
    ({ hub }) => each(hub.throttle.counts.refused, (scope) => ({ scope }))
  ),
  counter('team_hub_auth_blocks_total', 'Blocks that began with a failed authentication.', ({ hub }) =>
    each(hub.throttle.counts.blocks, (scope) => ({ scope }))
  ),

  counter('team_hub_llm_calls_total', 'Calls of models.', (now) =>
    calls(now).flatMap((one) => each(one.outcomes, (outcome) => ({ ...modelOf(one), outcome })))
  ),
  histogram('team_hub_llm_call_duration_seconds', 'How long calls of models took.', (now) =>
    calls(now).map((one) => [one.durations, modelOf(one)])
  ),
  counter('team_hub_llm_tokens_total', 'Tokens that calls of models used.', (now) =>
    calls(now).flatMap((one) =>
      each({ prompt: one.prompt_tokens, completion: one.completion_tokens }, (kind) => ({ ...modelOf(one), kind }))
    )
  ),
  counter(
    'team_hub_llm_spend_dollars_total',
    'What calls of models cost in US dollars, by the prices of the catalog.',
    (now) => calls(now).flatMap((one) => (one.spend_usd === null ? [] : [[one.spend_usd, modelOf(one)]]))
  ),

  counter('team_hub_webhook_deliveries_total', 'Attempts to deliver a change to a webhook.', (now) => {
    const counts = deliveries(now)
    return counts && each({ delivered: counts.delivered, failed: counts.failed }, (result) => ({ result }))
  }),
  gauge(
    'team_hub_webhook_oldest_undelivered_seconds',
    'The age of the oldest change that this process has yet to deliver to a webhook; 0 for none.',
    (now) => {
      const counts = deliveries(now)
      const oldest = counts?.oldest() ?? now.hub.ledger.now()
      return counts && Math.max(0, (now.hub.ledger.now() - oldest) / 1000)
    }
  ),

  gauge('team_hub_checkpoint_timestamp_seconds', 'When this process has signed its last checkpoint.', ({ done }) =>
    secondsOf(done.checkpoint)
  ),
  gauge(
    'team_hub_verification_timestamp_seconds',
    'When this process has verified the log and the read tables last.',
    ({ done }) => secondsOf(done.verification)
  ),
  gauge(
    'team_hub_verification_failed',
    'Whether the last verification found something wrong, or could not be done: 1 or 0.',
    ({ done }) => done.verification && (done.verification.status === 'failed' ? 1 : 0)
  ),
  gauge('team_hub_task_failures', 'How often a regular task has failed since it worked last.', ({ done }) =>
    Object.entries(done.failing).map(([task, { times }]) => [times, { task }])
  ),
  gauge(
    'team_hub_backup_timestamp_seconds',
    'When the last backup was made by hub backup create or follow.',
    ({ backup }) => secondsOf(backup)
  ),

  gauge('team_hub_ready', 'Whether a check of GET /readyz is met: 1 or 0.', ({ ready }) =>
    Object.entries(ready.checks).map(([check, { status }]) => [status === 'ok' ? 1 : 0, { check }])
  ),
  gauge('team_hub_info', 'The version of the hub.', () => [[1, { version: VERSION }]])
]

/** What is read of a metric: a sample without labels, several with them, or nothing where there is nothing to tell. */
type Read<V> = (moment: Moment) => V | readonly Sample<V>[] | null | undefined

function counter(name: string, help: string, read: Read<number>): Measure {
  return { name, help, kind: 'counter', read: (moment) => samples(read(moment)) }
}

function gauge(name: string, help: string, read: Read<number>): Measure {
  return { name, help, kind: 'gauge', read: (moment) => samples(read(moment)) }
}

function histogram(name: string, help: string, read: Read<Durations>): Measure {
  return { name, help, kind: 'histogram', read: (moment) => samples(read(moment)) }
}

function samples<V>(found: ReturnType<Read<V>>): readonly Sample<V>[] {
  if (found === null || found === undefined) return []
  return isList(found) ? found : [[found]]
}

function isList<V>(found: V | readonly Sample<V>[]): found is readonly Sample<V>[] {
  return Array.isArray(found)
}

/** A count of each of some things, under the labels that its name stands for. */
function each(counts: Readonly<Record<string, number>>, labelsOf: (name: string) => Labels): readonly Sample<number>[] {
  return Object.entries(counts).map(([name, count]) => [count, labelsOf(name)])
}

function byKind(kind: string): Labels {
  return { kind }
}

function routeOf({ method, route, status }: RequestCount): Labels {
  return { method, route, status_code: String(status) }
}

function modelOf({ provider, model }: ModelCalls): Labels {
  return { provider, model }
}

/** When something was done, as Prometheus has times; null for what was not. */
function secondsOf(done: { readonly at: string } | null): number | null {
  return done && Date.parse(done.at) / 1000
}
