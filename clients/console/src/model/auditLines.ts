import type { AuditEntry } from './auditEntry.js'

/** Searches of one person right behind each other, the newest first; never one alone. */
export interface Run {
  readonly entries: readonly [AuditEntry, ...AuditEntry[]]
}

/** A line of the list: an entry, or the head of a run, behind which its entries stand while it is open. */
export type Line =
  | { readonly is: 'entry'; readonly entry: AuditEntry; readonly isOfRun: boolean }
  | { readonly is: 'run'; readonly run: Run; readonly isOpen: boolean }

/** The lines of entries in their order. Who looks at the log leaves many entries, which would hide what else is there. */
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

function runsOf(entries: readonly AuditEntry[]): readonly Run[] {
  const runs: { readonly entries: [AuditEntry, ...AuditEntry[]] }[] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run && isSameReader(run.entries[0], entry)) run.entries.push(entry)
    else runs.push({ entries: [entry] })
  }
  return runs
}

const isSameReader = (one: AuditEntry, other: AuditEntry): boolean =>
  one.type === 'AuditRead' && other.type === 'AuditRead' && one.actor.id === other.actor.id

/** What a line is known by, wherever it stands: a run by its newest entry. */
export const lineKey = (line: Line): string =>
  line.is === 'entry' ? String(line.entry.position) : `run-${line.run.entries[0].position}`
