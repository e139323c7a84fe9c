import { useState } from 'preact/hooks'
import { go, linkWith, route } from '../../app/route.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import { type Line, lineKey, linesOf, type Run } from '../../model/auditRuns.js'
import { counted } from '../../model/numbers.js'
import { Button, Notice, Placeholder, Virtual } from '../../ui/kit.js'
import css from './audit.module.css'
import { EntryRow, RunRow } from './EntryRow.js'
import { type Found, type Fresh, SHOWN_MAX, type useEntries } from './useEntries.js'

interface EntriesProps {
  readonly found: Found
  readonly search: ReturnType<typeof useEntries>
  readonly fresh: Fresh
  readonly refresh: () => void
}

/** The entries that were found, without an end as long as there are more. */
export function Entries({ found: { entries, next }, search: { further, more }, fresh, refresh }: EntriesProps) {
  const isFull = entries.length >= SHOWN_MAX && next !== null
  return (
    <section class="fit" aria-label="Entries">
      <News fresh={fresh} refresh={refresh} />
      {entries.length === 0 ? (
        <Nothing isAll={next === null} isAsking={further.isAsking} more={more} />
      ) : (
        <Lines entries={entries} atEnd={further.failure || next === null ? undefined : more} />
      )}
      {further.failure && (
        <Notice tone="bad">
          {further.failure.message} <Button onClick={more}>Try again</Button>
        </Notice>
      )}
      <p class={`${css.end} hint`} role="status">
        {further.isAsking && 'Looking further back…'}
        {isFull &&
          `These are the newest ${counted(SHOWN_MAX, 'entry', 'entries')}. Narrow the search, or export it, for the rest.`}
        {next === null && entries.length > 0 && 'That is all.'}
      </p>
    </section>
  )
}

/** What has happened since: shown when the reader wants it, so that nothing moves under their eyes. */
function News({ fresh: { sure, perhaps }, refresh }: { readonly fresh: Fresh; readonly refresh: () => void }) {
  return (
    <div class={`${css.news} stack`} role="status">
      {sure + perhaps > 0 && (
        <Button kind="primary" onClick={refresh}>
          {sure === 0 ? 'Look for new entries' : counted(sure, 'new entry', 'new entries')}
        </Button>
      )}
    </div>
  )
}

interface NothingProps {
  readonly isAll: boolean
  readonly isAsking: boolean
  readonly more: () => void
}

function Nothing({ isAll, isAsking, more }: NothingProps) {
  return isAll ? (
    <Placeholder icon="audit" title="Nothing was found">
      <p>No entry of the log has all of this. Take a filter away to find more.</p>
    </Placeholder>
  ) : (
    <Placeholder icon="audit" title="Nothing was found so far">
      <p>The newest million entries have none of this. There are older ones.</p>
      <Button isBusy={isAsking} onClick={more}>
        Look further back
      </Button>
    </Placeholder>
  )
}

const ROW_PX = 60
/** The address names so many open entries at most. */
const OPEN_MAX = 20

interface LinesProps {
  readonly entries: readonly AuditEntry[]
  readonly atEnd: (() => void) | undefined
}

/** Entries as lines that unfold; which ones are open is in the address. */
function Lines({ entries, atEnd }: LinesProps) {
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
    <Virtual
      isOfPage
      isMeasured
      role="list"
      aria-label="Entries, the newest first"
      items={lines}
      rowHeight={ROW_PX}
      keyOf={lineKey}
      atEnd={atEnd}
    >
      {(line, index) => (
        <div role="listitem" aria-setsize={-1} aria-posinset={index + 1}>
          {drawn(line)}
        </div>
      )}
    </Virtual>
  )
}

/** The positions that an address names as open. */
const openIn = (text: string | null): readonly number[] =>
  (text ?? '')
    .split('.')
    .filter((one) => /^\d{1,15}$/.test(one))
    .slice(0, OPEN_MAX)
    .map(Number)
