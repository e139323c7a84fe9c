import { getHeapStatistics } from 'node:v8'
import type { Hub } from '../app/hub.js'
import { buildUnderWay, liveProjections } from '../ledger/rebuild.js'
import { timeText } from '../lib/clock.js'
import { VERSION } from '../lib/version.js'
import type { Checked, Finding, State } from './check.js'
import type { ChoresDone } from './tasks.js'

/** What a check has found of one thing, as administrators see it: no secret, and nothing that a server said. */
export interface CheckStatus {
  readonly name: string
  readonly status: Exclude<State, 'skipped'>
  readonly text: string
  /** What to do about it. */
  readonly advice: string | null
  /** Which one, where a check looks at several. */
  readonly subject: string | null
}

/** What a status is made from beside the hub. */
export interface Watched {
  readonly checked: readonly Checked[]
  readonly done: Readonly<ChoresDone>
  /** Who follows the feed of changes: how many, and since when the first of them does, in milliseconds. */
  readonly followers: { readonly count: number; readonly oldest: number | null }
}

const startedAt = timeText(Date.now() - process.uptime() * 1000)

/**
 * How a running hub stands, at a glance. It costs a few questions to the database. What does not need to be looked at, such as
 * webhooks where none are configured, is left out of the checks.
 */
export async function statusOf({ ledger }: Hub, { checked, done, followers }: Watched) {
  const { storage, readModel, sealing, indexer } = ledger
  const { position, at } = readModel.head
  const { generation, built } = await liveProjections(storage)
  const rebuild = await buildUnderWay(storage, generation)
  const search = { position: indexer.counts.position, behind: Math.max(0, position - indexer.counts.position) }
  return {
    version: VERSION,
    startedAt,
    uptimeSeconds: Math.floor(process.uptime()),
    memory: memory(),
    log: {
      position,
      lastEventAt: position === 0 ? null : at,
      isSealed: sealing.keyId !== null,
      checkpoint: done.checkpoint,
      verification: done.verification
    },
    projections: { generation, versions: built, rebuild },
    search: { ...search, head: position },
    followers: {
      count: followers.count,
      oldestSince: followers.oldest === null ? null : timeText(followers.oldest)
    },
    checks: checked.flatMap(({ name, findings }) => findings.flatMap((finding) => shown(name, finding)))
  }
}

function shown(name: string, { state, text, advice, subject }: Finding): readonly CheckStatus[] {
  return state === 'skipped' ? [] : [{ name, status: state, text, advice: advice ?? null, subject: subject ?? null }]
}

function memory() {
  const { rss, heapUsed } = process.memoryUsage()
  return { rssBytes: rss, heapUsedBytes: heapUsed, heapLimitBytes: getHeapStatistics().heap_size_limit }
}
