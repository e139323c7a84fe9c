import type { VNode } from 'preact'
import { loadVersionAt } from '../../app/history.js'
import { knownOf, useMoment } from '../../app/loaded.js'
import { namesAround } from '../../app/members.js'
import { type Loaded, mayChange, mayEdit } from '../../app/records.js'
import { linkTo, linkWith, route } from '../../app/route.js'
import { loadThen } from '../../app/trees.js'
import { KINDS, type RecordRef } from '../../model/records.js'
import { exactly } from '../../model/time.js'
import { chosenVersions, numberOf, type Version, whatHappened } from '../../model/versions.js'
import { ButtonLink, Name, Page, Show } from '../../ui/kit.js'
import { Crumbs, onwardFrom } from '../record/FolderView.js'
import { CollectionView, RecordView } from '../record/RecordView.js'
import { Compared, useInSight } from './Compared.js'
import { MomentSlider } from './MomentSlider.js'
import css from './past.module.css'
import { RestoreButton } from './RestoreDialog.js'
import { TreeThen } from './TreeThen.js'

/** What an address shows of a record in place of the present: two versions, or a moment; null where it is the present. */
export function pastView(record: RecordRef): VNode | null {
  const { query } = route.value
  const [one, other] = chosenVersions(query.get('versions'))
  if (one !== undefined && other !== undefined) {
    return <Compared record={record} from={Math.min(one, other)} to={Math.max(one, other)} />
  }
  const at = query.get('at')
  return at === null ? null : <AsItWas record={record} at={at} />
}

interface AsItWasProps {
  readonly record: RecordRef
  /** A time, or a place in the log. */
  readonly at: string
}

/** A record as it was at a moment, which it says above everything else. */
function AsItWas({ record, at }: AsItWasProps) {
  const then = useMoment((at, signal) => loadThen(record, at, signal), record.id, at)
  const state = then.state.value
  const name = knownOf(then)?.content.name ?? namesAround(record)(record.id)
  return (
    <Page title={name ?? KINDS[record.kind].label} above={<Crumbs record={record} />}>
      {!(state.is === 'failed' && state.failure.status === 403) && <Banner record={record} at={at} />}
      <Show of={then} onward={onwardFrom(record)}>
        {(loaded) => <Then loaded={loaded} at={at} />}
      </Show>
    </Page>
  )
}

/** What it held then, where what it holds is not part of the record itself. */
function Then({ loaded, at }: { readonly loaded: Loaded; readonly at: string }) {
  if (loaded.kind === 'collection') {
    const { content } = loaded
    const contents = <TreeThen collectionId={content.id} folderId={null} at={at} />
    return <CollectionView collection={content} contents={contents} />
  }
  if (loaded.kind === 'folder') {
    return <TreeThen collectionId={loaded.content.collectionId} folderId={loaded.content.id} at={at} />
  }
  return <RecordView loaded={loaded} />
}

function Banner({ record, at }: AsItWasProps) {
  const found = useMoment((at, signal) => loadVersionAt(record, at, signal), record.id, at)
  const state = found.state.value
  const { version, newest } = knownOf(found) ?? {}
  const isGone = state.is === 'failed' && state.failure.status === 404
  const top = useInSight(at)
  const isPresent = version !== undefined && version === newest
  // Of a collection all that is in it has moments of its own, which only those who work with it see.
  const isWhole = record.kind === 'collection' && mayEdit()
  return (
    <div ref={top} class={`${css.banner} notice tone-note row wrap between`}>
      {isWhole ? (
        <MomentSlider collectionId={record.id} at={at} />
      ) : (
        <About record={record} at={at} version={version} isPresent={isPresent} isGone={isGone} />
      )}
      <div class="flex wrap gap-4">
        {version && newest && !isPresent && (
          <ButtonLink href={linkWith({ at: null, versions: `${numberOf(version)},${numberOf(newest)}` })}>
            {isWhole ? 'What changed in its settings' : 'What changed since'}
          </ButtonLink>
        )}
        {mayChange(record) && version?.version && !isPresent && (
          <RestoreButton record={record} version={version.version}>
            {isWhole ? 'Restore its settings…' : 'Restore…'}
          </RestoreButton>
        )}
        <ButtonLink href={linkWith({ at: null })}>Back to now</ButtonLink>
      </div>
    </div>
  )
}

interface AboutProps extends AsItWasProps {
  readonly version: Version | undefined
  readonly isPresent: boolean
  readonly isGone: boolean
}

function About({ record, at, version, isPresent, isGone }: AboutProps) {
  // A place in the log says nothing to people: the version that was there then has a time.
  const moment = /^\d+$/.test(at) ? version?.at : at
  return (
    <div>
      <p class="strong">As it was{moment && ` on ${exactly(moment)}`}</p>
      {isGone && (
        <p>
          It is gone since. What is deleted can be brought back under <a href={linkTo(['deleted'])}>Deleted</a>.
        </p>
      )}
      {version && (
        <p>
          {version.version !== null && `Version ${version.version}: `}
          <Name of={version.by.name ?? 'Somebody'} /> {whatHappened(record.kind, version)}.
          {isPresent && record.kind !== 'folder' && ' Nothing has changed since.'}
        </p>
      )}
    </div>
  )
}
