import { faceOfUser, useFaces } from '../../app/faces.js'
import { loadVersions, type VersionPage } from '../../app/history.js'
import { useReload } from '../../app/live.js'
import { knownOf, type Loadable, useAct, useLoadable } from '../../app/loaded.js'
import { go, linkWith, route } from '../../app/route.js'
import type { RecordRef } from '../../model/records.js'
import {
  chosenVersions,
  chosenWith,
  isSeen,
  mergedVersions,
  numberOf,
  type Version,
  versionAt,
  whatHappened
} from '../../model/versions.js'
import { Avatar, Button, Name, Show, Skeleton, Time, tellFailure } from '../../ui/kit.js'
import css from './past.module.css'

/** The id of what shows the past of a record, beside it. */
export const HISTORY = 'history'

/**
 * The past of a record: its versions, the newest first. One leads to what it changed, two are shown beside each other. Nothing of a
 * record that is not there, or others': what stands in its place says so.
 */
export function Past({ record }: { readonly record: RecordRef }) {
  const { versions, older, isBusy } = useTimeline(record)
  useFaces()
  const chosen = chosenVersions(route.value.query.get('versions'))
  const state = versions.state.value
  if (state.is === 'failed' && (state.failure.status === 403 || state.failure.status === 404)) return null
  return (
    <aside id={HISTORY} class={`${css.past} stack gap-6 sunken`} aria-label="History" tabIndex={-1}>
      <h2>History</h2>
      <Show of={versions} skeleton={<Skeleton lines={4} />}>
        {({ versions: shown, hasOlder }) => (
          <>
            <p class="if-any hint" role="status">
              {chosen.length === 1 ? 'Choose another version to compare it with.' : ''}
            </p>
            <ol class="stack gap-1">
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
    </aside>
  )
}

interface VersionLineProps {
  readonly record: RecordRef
  readonly version: Version
  /** The one before it, where that is known. */
  readonly before: Version | undefined
  readonly known: readonly Version[]
  readonly chosen: readonly number[]
}

/** One version: who, what and when. What it did leads to what differed, the time to the record as it then was. */
function VersionLine({ record, version, before, known, chosen }: VersionLineProps) {
  const number = numberOf(version)
  const at = route.value.query.get('at')
  const name = version.by.name ?? 'Somebody'
  const what = whatHappened(record.kind, version, known)
  const isHere = at === null ? chosen.includes(number) : versionAt(known, at) === version
  const hasBoth = before !== undefined && isSeen(version) && isSeen(before)
  return (
    <li class={`${css.version} stack gap-5 ${isHere ? css.here : ''}`}>
      <Avatar face={faceOfUser(version.by)} />
      <div class={`${css.words} stack gap-1`}>
        <p>
          <Name class="bold" of={name} />{' '}
          {hasBoth ? (
            <a href={linkWith({ versions: `${numberOf(before)},${number}`, at: null })} title="What this changed">
              {what}
            </a>
          ) : (
            what
          )}
        </p>
        <p class={`${css.when} hint`}>
          {isSeen(version) ? (
            <a
              class="hint"
              href={linkWith({ at: String(version.position), versions: null })}
              aria-current={at !== null && isHere}
            >
              <span class="visually-hidden">As it was </span>
              <Time at={version.at} />
            </a>
          ) : (
            <Time at={version.at} />
          )}
        </p>
      </div>
      {isSeen(version) && (
        <label class={`${css.choose} center`} title="Compare">
          <input
            type="checkbox"
            aria-label={`Compare: ${name} ${what}`}
            checked={chosen.includes(number)}
            onChange={() => choose(chosenWith(chosen, number))}
          />
        </label>
      )}
    </li>
  )
}

function choose(chosen: readonly number[]): void {
  go(linkWith({ versions: chosen.join(','), at: null }))
}

/** The versions of a record, the newest first: it grows by itself at the top, and at the end when it is asked to. */
function useTimeline(ref: RecordRef) {
  const versions: Loadable<VersionPage> = useLoadable(
    async (signal) => {
      const newest = await loadVersions(ref, signal)
      const known = knownOf(versions)
      if (!known) return newest
      const merged = mergedVersions(newest.versions, known.versions)
      const { hasOlder } = merged.length > newest.versions.length ? known : newest
      return { versions: merged, hasOlder }
    },
    [ref.kind, ref.id]
  )
  useReload(versions, ({ kind, id }) => kind === ref.kind && id === ref.id)
  const { isBusy, run } = useAct()
  const more = async () => {
    const last = knownOf(versions)?.versions.at(-1)
    if (!last) return
    const page = await loadVersions(ref, new AbortController().signal, last)
    versions.change((now) =>
      now.versions.at(-1)?.position === last.position
        ? { versions: [...now.versions, ...page.versions], hasOlder: page.hasOlder }
        : now
    )
  }
  return { versions, older: () => run(() => more().catch(tellFailure)), isBusy }
}
