import type { Finding } from './finding.js'
import { type Operation, operationsOf } from './history.js'
import type { LogEntry } from './log.js'

/** That each follower was told of every event between where it began and how far it has come, in order, and once where that is promised. */
export function checkFeeds(operations: readonly Operation[], log: readonly LogEntry[]): readonly Finding[] {
  const findings: Finding[] = []
  const reached = new Map<string, number>()
  const deliveries = operationsOf(operations, 'feed').filter(({ answer }) => answer)
  for (const { sent, answer, from } of deliveries.toSorted((a, b) => a.to - b.to)) {
    if (!answer) continue
    const { connection } = sent
    const wrong = (kind: Finding['kind'], text: string) =>
      void findings.push({ kind, text: `${connection} ${text} (entry ${from}).` })
    let at = reached.get(connection) ?? sent.after
    const missed = (before: number) => {
      for (let next = at + 1; next < before; next++) if (log[next - 1]?.isTold) wrong('gap', `was not told of ${next}`)
    }
    for (const position of answer.positions) {
      if (position > log.length) wrong('lost', `was told of ${position}, which is not in the log`)
      if (position <= at && !sent.mayRepeat) wrong('repeat', `was told of ${position} behind ${at}`)
      missed(position)
      at = Math.max(at, position)
    }
    missed(answer.through + 1)
    reached.set(connection, Math.max(at, answer.through))
  }
  return findings
}
