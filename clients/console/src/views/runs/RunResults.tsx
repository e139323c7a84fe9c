import type { Schemas } from '@collections-hub/client'
import { useState } from 'preact/hooks'
import { nameOfUser, useKept, users } from '../../app/accounts.js'
import { useReload } from '../../app/live.js'
import { useEvery, useMoment } from '../../app/loaded.js'
import { linkTo } from '../../app/route.js'
import { ask, isAdmin } from '../../app/session.js'
import { counted } from '../../model/numbers.js'
import { outcomeOf, whatRan } from '../../model/runResults.js'
import { Badge, Button, Icon, Name, Page, Placeholder, Show, Time } from '../../ui/kit.js'

const REFRESH_MS = 30_000
/** So many are listed at most, and so many more each time somebody asks for older ones. */
const LISTED_MOST = 1000
const LISTED_STEP = 100

/** The newest run results that the caller has shared, for administrators those of everybody; and whether there are older ones. */
async function loadRunResults(limit: number, signal: AbortSignal) {
  const path = isAdmin.value ? '/admin/run-results' : '/run-results'
  const { runResults, nextCursor } = await ask('GET', path, { query: { limit }, signal })
  return { results: runResults, hasOlder: typeof nextCursor === 'string' }
}

/** The results of runs that somebody has shared: one's own, for administrators everybody's. */
export function RunResults() {
  return isAdmin.value ? <OfEverybody /> : <List lead="What you have run in the desktop and shared." />
}

function OfEverybody() {
  useKept(users)
  return <List lead="What people have run in the desktop and shared." />
}

function List({ lead }: { readonly lead: string }) {
  const [limit, setLimit] = useState(LISTED_STEP)
  const loaded = useMoment(loadRunResults, '', limit)
  useReload(loaded, ({ kind }) => kind === 'runresult')
  // The feed tells users of no run results.
  useEvery(REFRESH_MS, () => void loaded.reload())
  return (
    <Page title="Run results" lead={lead}>
      <Show of={loaded}>
        {({ results, hasOlder }) =>
          results.length === 0 ? (
            <Placeholder icon="check" title="No run results yet">
              <p>Run a collection or a request in the desktop, and share what came of it: it appears here by itself.</p>
            </Placeholder>
          ) : (
            <>
              <ul class="stack" aria-label="Run results, the newest first">
                {results.map((result) => (
                  <Line key={result.id} result={result} />
                ))}
              </ul>
              {hasOlder &&
                (limit < LISTED_MOST ? (
                  <div>
                    <Button onClick={() => setLimit(Math.min(LISTED_MOST, limit + LISTED_STEP))}>Older</Button>
                  </div>
                ) : (
                  <p class="hint">
                    These are the newest {counted(LISTED_MOST, 'run result')}. Delete some to see older ones.
                  </p>
                ))}
            </>
          )
        }
      </Show>
    </Page>
  )
}

function Line({ result }: { readonly result: Schemas['RunResult'] }) {
  const { id, label, createdAt, createdByUserId } = result
  const { tone, text } = outcomeOf(result)
  return (
    <li>
      <a class="listed pick row ruled gap-6" href={linkTo(['run-results', id])}>
        <Icon name={tone === 'bad' ? 'warning' : 'check'} />
        <span class="fit grow">
          <Name class="block" of={label} />
          <span class="hint">
            <Name of={whatRan(result)} />, <Time at={createdAt} />
            {isAdmin.value && (
              <>
                , by <Name of={createdByUserId === null ? 'an account that is gone' : nameOfUser(createdByUserId)} />
              </>
            )}
          </span>
        </span>
        <Badge tone={tone}>{text}</Badge>
      </a>
    </li>
  )
}
