import { faceOfUser } from '../../app/faces.js'
import { go, linkWith, route } from '../../app/route.js'
import type { RecordRef } from '../../model/records.js'
import { chosenWith, isSeen, numberOf, type Version, versionAt, whatHappened } from '../../model/versions.js'
import { Time } from '../../ui/Time.js'
import { FaceOf } from '../faces/FaceOf.js'
import css from './Past.module.css'

interface VersionLineProps {
  readonly record: RecordRef
  readonly version: Version
  /** The one before it, where that is known. */
  readonly before: Version | undefined
  readonly known: readonly Version[]
  readonly chosen: readonly number[]
}

/** One version: who, what and when. What it did leads to what differed, the time to the record as it then was. */
export function VersionLine({ record, version, before, known, chosen }: VersionLineProps) {
  const number = numberOf(version)
  const at = route.value.query.get('at')
  const name = version.by.name ?? 'Somebody'
  const what = whatHappened(record.kind, version, known)
  const isHere = at === null ? chosen.includes(number) : versionAt(known, at) === version
  const hasBoth = before !== undefined && isSeen(version) && isSeen(before)
  return (
    <li class={`${css.version} ${isHere ? css.here : ''}`}>
      <FaceOf face={faceOfUser(version.by)} />
      <div class={css.words}>
        <p>
          <bdi class={css.who}>{name}</bdi>{' '}
          {hasBoth ? (
            <a href={linkWith({ versions: `${numberOf(before)},${number}`, at: null })} title="What this changed">
              {what}
            </a>
          ) : (
            what
          )}
        </p>
        <p class={css.when}>
          {isSeen(version) ? (
            <a href={linkWith({ at: String(version.position), versions: null })} aria-current={at !== null && isHere}>
              <span class="visually-hidden">As it was </span>
              <Time at={version.at} />
            </a>
          ) : (
            <Time at={version.at} />
          )}
        </p>
      </div>
      {isSeen(version) && (
        <label class={css.choose} title="Compare">
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
