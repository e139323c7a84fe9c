import { useState } from 'preact/hooks'
import { go, linkWith, route } from '../../app/route.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import { type Line, lineKey, linesOf, type Run } from '../../model/auditLines.js'
import { PageRows } from '../../ui/PageRows.js'
import { EntryRow } from './EntryRow.js'
import { RunRow } from './RunRow.js'

const ROW_PX = 60
/** The address names so many open entries at most. */
const OPEN_MAX = 20

interface LinesProps {
  readonly entries: readonly AuditEntry[]
  readonly atEnd: (() => void) | undefined
}

/** Entries as lines that unfold; which ones are open is in the address. */
export function Lines({ entries, atEnd }: LinesProps) {
  const open = openIn(route.value.query.get('open'))
  const [runs, setRuns] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isOpenRun = (run: Run) =>
    runs.get(run.entries[0].position) ?? run.entries.some(({ position }) => open.includes(position))
  const lines = linesOf(entries, isOpenRun)
  const toggle = (position: number) => {
    const others = open.filter((one) => one !== position)
    const all = others.length < open.length ? others : [...others, position].slice(-OPEN_MAX)
    go(linkWith({ open: all.join('.') || null }), { replace: true })
  }
  const drawn = (line: Line) => {
    if (line.is === 'run') {
      const { run, isOpen } = line
      const toggleRun = () => setRuns(new Map([...runs, [run.entries[0].position, !isOpen]]))
      return <RunRow run={run} isOpen={isOpen} toggle={toggleRun} />
    }
    const { entry, isOfRun } = line
    const { position } = entry
    return <EntryRow entry={entry} isOfRun={isOfRun} isOpen={open.includes(position)} toggle={() => toggle(position)} />
  }
  return (
    <PageRows
      role="list"
      aria-label="Entries, the newest first"
      count={lines.length}
      rowHeight={ROW_PX}
      keyOf={(index) => (lines[index] ? lineKey(lines[index]) : index)}
      atEnd={atEnd}
    >
      {(index) => (
        <div role="listitem" aria-setsize={-1} aria-posinset={index + 1}>
          {lines[index] && drawn(lines[index])}
        </div>
      )}
    </PageRows>
  )
}

/** The positions that an address names as open. */
const openIn = (text: string | null): readonly number[] =>
  (text ?? '')
    .split('.')
    .filter((one) => /^\d{1,15}$/.test(one))
    .slice(0, OPEN_MAX)
    .map(Number)
