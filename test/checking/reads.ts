import { subjectOf } from '../../src/log/event.js'
import type { Finding } from './finding.js'
import type { Answer, Operation, Sent } from './history.js'
import type { LogEntry } from './log.js'
import type { Bounds } from './writes.js'

/** What a record was from a position on; `content` is null where it was not there. */
interface State {
  readonly position: number
  readonly content: string | null
}

/** The states of all records, each in ascending order. */
type States = ReadonlyMap<string, readonly State[]>

/** The first of the positions from `least` to `most` at which an answer was right; null where there is none. */
type FirstRight = (least: number, most: number) => number | null

/**
 * That every answer is what was there at one position: not before what had been acknowledged when it was asked for, nor before what an
 * answer had shown by then, and not behind what was there when it was given. Since every change has a position, and the lowest that fits
 * leaves later answers the most room, looking at each once decides it.
 */
export function checkReads(
  operations: readonly Operation[],
  log: readonly LogEntry[],
  bounds: Bounds,
  length: number
): readonly Finding[] {
  const findings: Finding[] = []
  const states = statesOf(log)
  const shown = new Map<number, number>()
  let [seen, looked] = [0, 0]
  for (const operation of operations) {
    const { f, from, to } = operation
    const firstRight = rightness(operation, states, log)
    if (!firstRight) continue
    for (; looked < from; looked++) seen = Math.max(seen, shown.get(looked) ?? 0)
    const acknowledged = bounds.least(from)
    const least = Math.max(acknowledged, seen)
    const most = bounds.most(Math.min(to, length))
    const position = firstRight(least, most)
    if (position !== null) shown.set(to, position)
    else {
      const why =
        firstRight(acknowledged, most) === null ? `after ${acknowledged} was acknowledged` : `after ${seen} was shown`
      findings.push({
        kind: 'stale',
        text: `The ${f} of entry ${from} is of no position from ${least} to ${most}, ${why}.`
      })
    }
  }
  return findings
}

function rightness({ f, sent, answer }: Operation, states: States, log: readonly LogEntry[]): FirstRight | null {
  if (!answer) return null
  // The answers of an operation are those of its kind: `operationsIn` has read them so.
  if (f === 'read') return readRight(sent as Sent<'read'>, answer as Answer<'read'>, states)
  if (f === 'list') return listRight(sent as Sent<'list'>, answer as Answer<'list'>, states, log)
  if (f !== 'head') return null
  const { position } = answer as Answer<'head'>
  return (least, most) => (position >= least && position <= most ? position : null)
}

function readRight({ id }: Sent<'read'>, { content, position }: Answer<'read'>, states: States): FirstRight {
  const known = states.get(id) ?? NEVER
  return (least, most) => {
    for (let i = lastAt(known, least); i < known.length; i++) {
      const state = known[i]
      if (!state || state.position > most) return null
      const isRight =
        state.content === content && (position === undefined || content === null || state.position === position)
      if (isRight) return Math.max(least, state.position)
    }
    return null
  }
}

/** Goes from position to position and keeps count of the records of the kind that are not as the answer says. */
function listRight(
  { kind }: Sent<'list'>,
  { contents }: Answer<'list'>,
  states: States,
  log: readonly LogEntry[]
): FirstRight {
  const ofKind = new Set(log.flatMap(({ stream }) => (stream.startsWith(`${kind}-`) ? [subjectOf(stream)] : [])))
  const ids = [...new Set([...ofKind, ...Object.keys(contents)])]
  const isWrong = (id: string, content: string | null) => (contents[id] ?? null) !== content
  return (least, most) => {
    const wrong = new Set(
      ids.filter((id) => {
        const known = states.get(id) ?? NEVER
        return isWrong(id, known[lastAt(known, least)]?.content ?? null)
      })
    )
    for (let position = least; position <= most; position++) {
      const entry = log[position - 1]
      if (position > least && entry?.content !== undefined && entry.stream.startsWith(`${kind}-`)) {
        const id = subjectOf(entry.stream)
        if (isWrong(id, entry.content)) wrong.add(id)
        else wrong.delete(id)
      }
      if (wrong.size === 0) return position
    }
    return null
  }
}

const NEVER: readonly State[] = [{ position: 0, content: null }]

function statesOf(log: readonly LogEntry[]): States {
  const states = new Map<string, State[]>()
  for (const { position, stream, content } of log) {
    if (content === undefined) continue
    const id = subjectOf(stream)
    const known = states.get(id) ?? [...NEVER]
    states.set(id, known)
    known.push({ position, content })
  }
  return states
}

/** Which of ascending states stood at a position. */
function lastAt(states: readonly State[], position: number): number {
  return Math.max(
    0,
    states.findLastIndex((state) => state.position <= position)
  )
}
