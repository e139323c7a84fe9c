import { subjectOf } from '../../src/log/event.js'
import type { Finding } from './finding.js'
import { type Operation, operationsOf, type Sent } from './history.js'
import type { LogEntry } from './log.js'

/** Where the log was, as far as the history shows: what was acknowledged before an entry, and what was sent only behind it. */
export interface Bounds {
  /** The highest position acknowledged before an entry. */
  readonly least: (index: number) => number
  /** The highest position that an answer at this entry may know of. */
  readonly most: (index: number) => number
}

/** The position of an operation that changed something; null where the history and the log tell of none. */
export type Located = ReadonlyMap<Operation, number>

/** Finds the writes in the log: by their answers, else by their contents. */
export function locate(operations: readonly Operation[], log: readonly LogEntry[]): Located {
  const byContent = new Map(log.flatMap((entry) => (entry.content ? [[entry.content, entry.position]] : [])))
  const located = new Map<Operation, number>()
  for (const operation of operations) {
    const position =
      positionOf(operation) ?? (isWrite(operation) ? byContent.get(operation.sent.content ?? '') : undefined)
    if (position !== undefined) located.set(operation, position)
  }
  return located
}

/** The bounds of each entry of a history. */
export function boundsOf(located: Located, length: number, end: number): Bounds {
  const least = new Array<number>(length + 1).fill(0)
  const most = new Array<number>(length + 1).fill(end)
  for (const [{ from, to, outcome }, position] of located) {
    if (outcome === 'ok') least[to + 1] = position
    most[from] = position - 1
  }
  for (let i = 1; i <= length; i++) least[i] = Math.max(least[i] ?? 0, least[i - 1] ?? 0)
  for (let i = length - 1; i >= 0; i--) most[i] = Math.min(most[i] ?? end, most[i + 1] ?? end)
  return { least: (index) => least[index] ?? 0, most: (index) => most[Math.min(index, length)] ?? end }
}

/**
 * That what was acknowledged is in the log, where the answer says; that nothing is in it twice, or though it was refused; and that what
 * was acknowledged before another was sent has the lower position.
 */
export function checkWrites(
  operations: readonly Operation[],
  log: readonly LogEntry[],
  located: Located,
  { least }: Bounds
): readonly Finding[] {
  const findings: Finding[] = []
  const wrong = (kind: Finding['kind'], text: string) => void findings.push({ kind, text })
  const counts = new Map<string, number>()
  for (const { content } of log) if (content) counts.set(content, (counts.get(content) ?? 0) + 1)
  for (const write of operationsOf(operations, 'write')) {
    const { sent, answer, outcome, from } = write
    const count = sent.content === null ? null : (counts.get(sent.content) ?? 0)
    if (count !== null && count > 1) wrong('twice', `The write of entry ${from} is in the log ${count} times.`)
    if (outcome === 'fail' && count) wrong('twice', `The write of entry ${from} was refused and is in the log.`)
    if (!answer) continue
    if (!isAt(log, answer.position, sent))
      wrong('lost', `The write of entry ${from} is not at position ${answer.position}.`)
  }
  for (const [{ from, f }, position] of located) {
    if (position > log.length) wrong('lost', `The ${f} of entry ${from} is behind the end of the log.`)
    if (position <= least(from))
      wrong('disorder', `The ${f} of entry ${from} is at ${position}, and ${least(from)} was acknowledged before it.`)
  }
  return findings
}

/** True where the events of a command that ends at a position have this change of a record among them. */
function isAt(log: readonly LogEntry[], position: number, { id, content }: Sent<'write'>): boolean {
  const command = log[position - 1]?.commandId
  for (let at = position - 1; log[at]?.commandId === command && at >= 0; at--)
    if (log[at]?.content === content && subjectOf(log[at]?.stream ?? '') === id) return true
  return false
}

function isWrite(operation: Operation): operation is Operation<'write'> {
  return operation.f === 'write'
}

/** The position of which an answer says that the change itself is there. */
function positionOf({ f, answer }: Operation): number | undefined {
  const isChange = f !== 'head' && f !== 'read'
  return isChange && answer && 'position' in answer ? answer.position : undefined
}
