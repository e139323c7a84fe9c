import type { Link } from '../../src/log/chain.js'
import { checkFeeds } from './feeds.js'
import { FINDING_KINDS, type Finding } from './finding.js'
import { type Entry, type Operation, operationsIn } from './history.js'
import { checkLog, type LogEntry } from './log.js'
import { checkObjects } from './objects.js'
import { checkReads } from './reads.js'
import { checkTokens } from './tokens.js'
import { boundsOf, checkWrites, locate } from './writes.js'

/** What a history comes to. */
export interface Verdict {
  readonly operations: number
  readonly acknowledged: number
  readonly refused: number
  readonly unknown: number
  /** Answers of 503. */
  readonly unavailable: number
  /** Budgets and secrets whose order would take too long to find. */
  readonly undecided: number
  /** How many findings of each kind there are. */
  readonly counts: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
}

/**
 * Checks a history against the log that it ended with; `link` is how that is chained, plainly unless told otherwise. `troubles` are
 * what went wrong besides.
 */
export function check(
  history: readonly Entry[],
  log: readonly LogEntry[],
  link?: Link,
  troubles: readonly string[] = []
): Verdict {
  const operations = operationsIn(history)
  const located = locate(operations, log)
  const bounds = boundsOf(located, history.length, log.length)
  const objects = checkObjects(operations)
  const findings = [
    ...checkLog(log, link),
    ...checkWrites(operations, log, located, bounds),
    ...checkReads(operations, log, bounds, history.length),
    ...checkFeeds(operations, log),
    ...checkTokens(operations),
    ...objects.findings,
    ...failures(operations),
    ...troubles.map((text): Finding => ({ kind: 'failure', text }))
  ]
  const ended = (wanted: Operation['outcome']) => operations.filter(({ outcome }) => outcome === wanted).length
  return {
    operations: operations.length,
    acknowledged: ended('ok'),
    refused: ended('fail'),
    unknown: ended('info'),
    unavailable: operations.filter(({ status }) => status === 503).length,
    undecided: objects.undecided,
    counts: countsOf(findings),
    findings
  }
}

/** A verdict in one line. */
export function verdictText({
  operations,
  acknowledged,
  refused,
  unknown,
  unavailable,
  undecided,
  counts
}: Verdict): string {
  const kinds = Object.entries(counts).map(([kind, count]) => `${kind} ${count}`)
  const totals = [
    `${operations} operations`,
    `acknowledged ${acknowledged}`,
    `refused ${refused}`,
    `unknown ${unknown}`
  ]
  return [...totals, `503 ${unavailable}`, ...kinds, `undecided ${undecided}`].join(', ')
}

function failures(operations: readonly Operation[]): readonly Finding[] {
  return operations
    .filter(({ status = 0 }) => status >= 500 && status !== 503)
    .map(
      ({ f, from, status, error }): Finding => ({
        kind: 'failure',
        text: `The ${f} of entry ${from} got ${status}: ${error}`
      })
    )
}

function countsOf(findings: readonly Finding[]): Readonly<Record<string, number>> {
  return Object.fromEntries(FINDING_KINDS.map((kind) => [kind, findings.filter((one) => one.kind === kind).length]))
}
