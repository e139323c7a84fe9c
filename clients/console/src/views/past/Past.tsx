import { useFaces } from '../../app/faces.js'
import { linkTo, route } from '../../app/route.js'
import type { RecordRef } from '../../model/records.js'
import { chosenVersions } from '../../model/versions.js'
import { Button } from '../../ui/Button.js'
import { Show, Skeleton } from '../../ui/Show.js'
import css from './Past.module.css'
import { useTimeline } from './useTimeline.js'
import { VersionLine } from './VersionLine.js'

/** The past of a record: its versions, the newest first. One leads to what it changed, two are shown beside each other. */
export function Past({ record }: { readonly record: RecordRef }) {
  const { versions, older, isBusy } = useTimeline(record)
  useFaces()
  const chosen = chosenVersions(route.value.query.get('versions'))
  const state = versions.state.value
  const isGone = state.is === 'failed' && state.failure.status === 404
  // The record beside it says so.
  if (state.is === 'failed' && state.failure.status === 403) return null
  return (
    <div class={css.past}>
      <h2>History</h2>
      {isGone ? (
        <p class={css.hint}>
          If it was deleted, it is under <a href={linkTo(['deleted'])}>Deleted</a>.
        </p>
      ) : (
        <Show of={versions} skeleton={<Skeleton lines={4} />}>
          {({ versions: shown, hasOlder }) => (
            <>
              <p class={css.hint} role="status">
                {chosen.length === 1 ? 'Choose another version to compare it with.' : ''}
              </p>
              <ol class={css.list}>
                {shown.map((version, index) => (
                  <VersionLine
                    key={version.position}
                    record={record}
                    version={version}
                    before={shown[index + 1]}
                    known={shown}
                    chosen={chosen}
                  />
                ))}
              </ol>
              {hasOlder && (
                <Button isBusy={isBusy} onClick={older}>
                  Older
                </Button>
              )}
            </>
          )}
        </Show>
      )}
    </div>
  )
}
