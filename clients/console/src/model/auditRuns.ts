import type { AuditEntry } from './auditEntry.js'
import { address, isBookkeeping, type Part, say, who, wordsOf } from './auditSentences.js'
import { count } from './numbers.js'

/** Entries of one type and one actor that follow each other closely, the newest first; never one alone. */
export interface Run {
  readonly entries: readonly [AuditEntry, ...AuditEntry[]]
}

/** A line of the list: an entry, or the head of a run, behind which its entries stand while it is open. */
export type Line =
  | { readonly is: 'entry'; readonly entry: AuditEntry; readonly isOfRun: boolean }
  | { readonly is: 'run'; readonly run: Run; readonly isOpen: boolean }

/** Entries of a run are no further from each other than this. */
const GAP_MS = 10 * 60_000

/** What many entries of a type say together. */
const TOGETHER: Readonly<Record<string, (times: string) => readonly Part[]>> = {
  AuditRead: (times) => say`${who} read the log ${times} times`,
  IdempotencyKeyUsed: (times) => say`${times} requests of ${who} were noted, so that repeats of them change nothing`,
  LlmTurnReserved: (times) => say`${who} began ${times} turns with models`,
  LlmTurnExtended: (times) => say`Turns of ${who} with models went on ${times} times`,
  LlmTurnReleased: (times) => say`${times} turns of ${who} with models used nothing`,
  LlmTurnExpired: (times) => say`${times} turns with models were never finished, and count no more`,
  LlmStepRecorded: (times) => say`${who} used models ${times} times`,
  AgentToolCalled: (times) => say`Agents, for ${who}, called tools ${times} times`,
  LoginBlocked: (times) => say`${address} was blocked ${times} times: it failed to sign in too often`,
  DeletionRefused: (times) => say`${who} tried ${times} times to delete what is locked`
}

/** What a run says, in pieces. */
export const runSentence = ({ entries }: Run): readonly Part[] => {
  const times = count(entries.length)
  const [{ type }] = entries
  return TOGETHER[type]?.(times) ?? say`${who}: ${times} entries`
}

/** What a run says as one text. */
export const runText = (run: Run): string => wordsOf(runSentence(run), run.entries[0])

/** True for a run that tells only of the hub's own book-keeping, and so is shown more quietly. */
export const isQuiet = ({ entries: [{ type }] }: Run): boolean => isBookkeeping(type)

/**
 * The lines of entries, the newest first. What somebody does again and again leaves many entries, which would hide what else is
 * there: of each run one line stands where its newest entry is. Changes of records are never folded.
 */
export function linesOf(entries: readonly AuditEntry[], isOpen: (run: Run) => boolean): readonly Line[] {
  const lines: Line[] = []
  for (const run of runsOf(entries)) {
    const isRun = run.entries.length > 1
    const shown = !isRun || isOpen(run)
    if (isRun) lines.push({ is: 'run', run, isOpen: shown })
    if (shown) for (const entry of run.entries) lines.push({ is: 'entry', entry, isOfRun: isRun })
  }
  return lines
}

interface Growing extends Run {
  readonly entries: [AuditEntry, ...AuditEntry[]]
}

function runsOf(entries: readonly AuditEntry[]): readonly Run[] {
  const runs: Growing[] = []
  const newest = new Map<string, Growing>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const run = key === null ? undefined : newest.get(key)
    if (run && isClose(run, entry)) {
      run.entries.push(entry)
      continue
    }
    const begun: Growing = { entries: [entry] }
    runs.push(begun)
    if (key !== null) newest.set(key, begun)
  }
  return runs
}

/** What entries of one run have in common; null for what is never folded. Of a blocked address nobody is the actor. */
function keyOf({ type, actor, address }: AuditEntry): string | null {
  if (!Object.hasOwn(TOGETHER, type)) return null
  return JSON.stringify([type, actor.id, type === 'LoginBlocked' ? address : null])
}

const isClose = ({ entries }: Run, { at }: AuditEntry): boolean =>
  Date.parse((entries.at(-1) ?? entries[0]).at) - Date.parse(at) <= GAP_MS

/** What a line is known by, wherever it stands: a run by its newest entry. */
export const lineKey = (line: Line): string =>
  line.is === 'entry' ? String(line.entry.position) : `run-${line.run.entries[0].position}`
