import type { MadeBackup } from '../backup/made.js'
import type { Durations } from '../counts.js'
import type { Hub } from '../hub.js'
import { outgoing } from '../outgoing.js'
import { VERSION } from '../version.js'
import type { ChoresDone } from './choresDone.js'
import type { Ready } from './readiness.js'

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
type Sample = readonly [value: number, labels?: Labels]
type DurationSample = readonly [durations: Durations, labels?: Labels]

interface Described {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** One metric: what it is called, and how it is read. Nothing is counted for it alone. */
export type Measure = Described &
  (
    | { readonly kind: 'counter' | 'gauge'; readonly read: (moment: Moment) => Iterable<Sample> }
    | { readonly kind: 'histogram'; readonly read: (moment: Moment) => Iterable<DurationSample> }
  )

const ROUTE = ['method', 'route', 'status_code']
const MODEL = ['provider', 'model']

const requests: readonly Measure[] = [
  {
    name: 'team_hub_http_requests_total',
    help: 'Requests that were answered.',
    kind: 'counter',
    labels: ROUTE,
    read: ({ requests }) => map(requests, (one) => [one.count, routeOf(one)])
  },
  {
    name: 'team_hub_http_request_duration_seconds',
    help: 'How long answers took, streams that stay open not among them.',
    kind: 'histogram',
    labels: ROUTE,
    read: ({ requests }) => map(requests, (one) => [one.durations, routeOf(one)])
  },
  gauge('team_hub_sse_connections', 'Connections that follow the feed of changes.', ({ followers }) => followers),
  gauge('team_hub_outgoing_bytes', 'What waits to be taken by clients.', () => outgoing.waiting)
]

const writes: readonly Measure[] = [
  counter('team_hub_log_commits_total', 'Commits of this process.', ({ hub }) => hub.ledger.writes().commits),
  counter(
    'team_hub_log_commands_total',
    'Commands that were carried out by these commits.',
    ({ hub }) => hub.ledger.writes().commands
  ),
  counter(
    'team_hub_log_events_total',
    'Events that were written by these commits.',
    ({ hub }) => hub.ledger.writes().events
  ),
  counter(
    'team_hub_log_conflicts_total',
    'Batches that were decided again because another process was faster.',
    ({ hub }) => hub.ledger.writes().conflicts
  ),
  counter(
    'team_hub_log_failures_total',
    'Batches that could not be committed.',
    ({ hub }) => hub.ledger.writes().failures
  ),
  {
    name: 'team_hub_log_commit_duration_seconds',
    help: 'How long the database took for a commit.',
    kind: 'histogram',
    read: ({ hub }) => [[hub.ledger.writes().durations]]
  },
  gauge('team_hub_log_queue', 'Commands that wait to be decided.', ({ hub }) => hub.ledger.writes().queued),
  gauge(
    'team_hub_log_queue_bytes',
    'What the commands bring that are not settled.',
    ({ hub }) => hub.ledger.writes().queued_bytes
  ),
  gauge(
    'team_hub_log_position',
    'Where the log ends, as this process knows it.',
    ({ hub }) => hub.ledger.view.head.position
  ),
  gauge(
    'team_hub_log_went_back',
    '1 while nothing is read or written because the log does not hold what this process knew of it.',
    ({ hub }) => (hub.ledger.view.wentBack ? 1 : 0)
  )
]

const reads: readonly Measure[] = [
  gauge(
    'team_hub_search_behind_events',
    'How many events the search index lacks, as this process has seen it last; all of them while it is made anew.',
    ({ hub: { ledger } }) => Math.max(0, ledger.view.head.position - ledger.indexer.counts.position)
  ),
  counter(
    'team_hub_search_failures_total',
    'How often the search index could not be brought forward.',
    ({ hub }) => hub.ledger.indexer.counts.failures
  ),
  counter('team_hub_cache_hits_total', 'Reads that the cache answered.', ({ hub }) => hub.ledger.view.cacheCounts.hits),
  counter(
    'team_hub_cache_misses_total',
    'Reads that the cache could not answer.',
    ({ hub }) => hub.ledger.view.cacheCounts.misses
  ),
  counter(
    'team_hub_cache_evictions_total',
    'What the cache gave up for want of room.',
    ({ hub }) => hub.ledger.view.cacheCounts.evictions
  ),
  gauge('team_hub_cache_entries', 'What the cache holds.', ({ hub }) => hub.ledger.view.cacheCounts.entries),
  gauge('team_hub_cache_bytes', 'How large that is, about.', ({ hub }) => hub.ledger.view.cacheCounts.bytes),
  {
    name: 'team_hub_db_pool_connections',
    help: 'Connections that readers share, and questions that wait for one.',
    kind: 'gauge',
    labels: ['state', 'backend'],
    read({ hub }) {
      const pool = hub.ledger.storage.pool()
      if (!pool) return []
      const { backend, active, idle, waiting } = pool
      return Object.entries({ active, idle, waiting }).map(([state, count]) => [count, { state, backend }])
    }
  },
  {
    name: 'team_hub_db_pool_max',
    help: 'How many connections readers share at most.',
    kind: 'gauge',
    read({ hub }) {
      const pool = hub.ledger.storage.pool()
      return pool ? [[pool.max]] : []
    }
  }
]

const documents: readonly Measure[] = [
  {
    name: 'team_hub_firestore_documents_total',
    help: 'Documents that are paid for.',
    kind: 'counter',
    labels: ['kind'],
    read({ hub }) {
      const counts = hub.ledger.storage.documents()
      if (!counts) return []
      const { read, written, deleted } = counts
      return Object.entries({ read, written, deleted }).map(([kind, count]) => [count, { kind }])
    }
  },
  {
    name: 'team_hub_firestore_requests_total',
    help: 'Requests to Firestore.',
    kind: 'counter',
    labels: ['kind'],
    read({ hub }) {
      const counts = hub.ledger.storage.documents()
      if (!counts) return []
      const { commits, questions } = counts
      return Object.entries({ commit: commits, question: questions }).map(([kind, count]) => [count, { kind }])
    }
  }
]

const logins: readonly Measure[] = [
  {
    name: 'team_hub_auth_throttled_total',
    help: 'Requests that were turned away because of failed authentications before.',
    kind: 'counter',
    labels: ['scope'],
    read: ({ hub }) => Object.entries(hub.throttle.counts.refused).map(([scope, count]) => [count, { scope }])
  },
  {
    name: 'team_hub_auth_blocks_total',
    help: 'Blocks that began with a failed authentication.',
    kind: 'counter',
    labels: ['scope'],
    read: ({ hub }) => Object.entries(hub.throttle.counts.blocks).map(([scope, count]) => [count, { scope }])
  }
]

const chats: readonly Measure[] = [
  {
    name: 'team_hub_llm_calls_total',
    help: 'Calls of models.',
    kind: 'counter',
    labels: [...MODEL, 'outcome'],
    read: ({ hub }) =>
      [...(hub.llm?.calls.all ?? [])].flatMap((one) =>
        Object.entries(one.outcomes).map(([outcome, count]): Sample => [count, { ...modelOf(one), outcome }])
      )
  },
  {
    name: 'team_hub_llm_call_duration_seconds',
    help: 'How long calls of models took.',
    kind: 'histogram',
    labels: MODEL,
    read: ({ hub }) => map(hub.llm?.calls.all ?? [], (one) => [one.durations, modelOf(one)])
  },
  {
    name: 'team_hub_llm_tokens_total',
    help: 'Tokens that calls of models used.',
    kind: 'counter',
    labels: [...MODEL, 'kind'],
    read: ({ hub }) =>
      [...(hub.llm?.calls.all ?? [])].flatMap((one): Sample[] => [
        [one.prompt_tokens, { ...modelOf(one), kind: 'prompt' }],
        [one.completion_tokens, { ...modelOf(one), kind: 'completion' }]
      ])
  },
  {
    name: 'team_hub_llm_spend_dollars_total',
    help: 'What calls of models cost in US dollars, by the prices of the catalog.',
    kind: 'counter',
    labels: MODEL,
    read: ({ hub }) =>
      [...(hub.llm?.calls.all ?? [])].flatMap((one): Sample[] =>
        one.spend_usd === null ? [] : [[one.spend_usd, modelOf(one)]]
      )
  }
]

const webhooks: readonly Measure[] = [
  {
    name: 'team_hub_webhook_deliveries_total',
    help: 'Attempts to deliver a change to a webhook.',
    kind: 'counter',
    labels: ['result'],
    read({ hub }) {
      if (!hub.webhooks) return []
      const { delivered, failed } = hub.webhooks.counts
      return Object.entries({ delivered, failed }).map(([result, count]) => [count, { result }])
    }
  },
  {
    name: 'team_hub_webhook_oldest_undelivered_seconds',
    help: 'The age of the oldest change that this process has yet to deliver to a webhook; 0 for none.',
    kind: 'gauge',
    read({ hub }) {
      if (!hub.webhooks) return []
      const oldest = hub.webhooks.counts.oldest()
      return [[oldest === null ? 0 : Math.max(0, (hub.ledger.now() - oldest) / 1000)]]
    }
  }
]

const upkeep: readonly Measure[] = [
  since(
    'team_hub_checkpoint_timestamp_seconds',
    'When this process has signed its last checkpoint.',
    ({ done }) => done.checkpoint?.at
  ),
  since(
    'team_hub_verification_timestamp_seconds',
    'When this process has verified the log and the read tables last.',
    ({ done }) => done.verification?.at
  ),
  {
    name: 'team_hub_verification_failed',
    help: 'Whether the last verification found something wrong, or could not be done: 1 or 0.',
    kind: 'gauge',
    read: ({ done }) => (done.verification ? [[done.verification.status === 'failed' ? 1 : 0]] : [])
  },
  {
    name: 'team_hub_task_failures',
    help: 'How often a regular task has failed since it worked last.',
    kind: 'gauge',
    labels: ['task'],
    read: ({ done }) => Object.entries(done.failing).map(([task, { times }]) => [times, { task }])
  },
  since(
    'team_hub_backup_timestamp_seconds',
    'When the last backup was made by hub backup create or follow.',
    ({ backup }) => backup?.at
  )
]

const health: readonly Measure[] = [
  {
    name: 'team_hub_ready',
    help: 'Whether a check of GET /readyz is met: 1 or 0.',
    kind: 'gauge',
    labels: ['check'],
    read: ({ ready }) => Object.entries(ready.checks).map(([check, { status }]) => [status === 'ok' ? 1 : 0, { check }])
  },
  {
    name: 'team_hub_info',
    help: 'The version of the hub.',
    kind: 'gauge',
    labels: ['version'],
    read: () => [[1, { version: VERSION }]]
  }
]

/** Every metric of the hub's own. Those that mean what other hubs' metrics mean have their names. */
export const MEASURES: readonly Measure[] = [
  ...requests,
  ...writes,
  ...reads,
  ...documents,
  ...logins,
  ...chats,
  ...webhooks,
  ...upkeep,
  ...health
]

function counter(name: string, help: string, read: (moment: Moment) => number): Measure {
  return { name, help, kind: 'counter', read: (moment) => [[read(moment)]] }
}

function gauge(name: string, help: string, read: (moment: Moment) => number): Measure {
  return { name, help, kind: 'gauge', read: (moment) => [[read(moment)]] }
}

function routeOf({ method, route, status }: RequestCount): Labels {
  return { method, route, status_code: String(status) }
}

function modelOf({ provider, model }: { readonly provider: string; readonly model: string }): Labels {
  return { provider, model }
}

function map<T, S>(all: Iterable<T>, one: (item: T) => S): readonly S[] {
  return Array.from(all, one)
}

/** A time, as Prometheus has times; absent where there is none. */
function since(name: string, help: string, read: (moment: Moment) => string | undefined): Measure {
  return {
    name,
    help,
    kind: 'gauge',
    read(moment) {
      const at = read(moment)
      return at === undefined ? [] : [[Date.parse(at) / 1000]]
    }
  }
}
