import { counted } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Notice, Placeholder } from '../../ui/Notice.js'
import css from './Entries.module.css'
import { Lines } from './Lines.js'
import { type Found, SHOWN_MAX, type useEntries } from './useEntries.js'
import type { Fresh } from './useFresh.js'

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
    <section class={css.entries} aria-label="Entries">
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
      <p class={css.end} role="status">
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
    <div class={css.news} role="status">
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
