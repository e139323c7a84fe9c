import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { loadPreview, restoreVersion } from '../../app/history.js'
import { failureOf } from '../../app/hub.js'
import { useReload } from '../../app/live.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { namesAround } from '../../app/members.js'
import { goingOn, linkWith } from '../../app/route.js'
import type { RecordRef } from '../../model/records.js'
import { type Version, whatHappened } from '../../model/versions.js'
import { DiffFields } from '../../ui/DiffFields.js'
import { Ask, DialogButton, Name, Notice, Show, Time, tellFailure, toast } from '../../ui/kit.js'

interface RestoreButtonProps {
  readonly record: RecordRef
  readonly version: number
  readonly children?: ComponentChildren
}

/** Leads to what a restore of this version would change, and from there to the restore. */
export function RestoreButton({ record, version, children = 'Restore…' }: RestoreButtonProps) {
  return (
    <DialogButton dialog={(close) => <RestoreDialog record={record} version={version} close={close} />}>
      {children}
    </DialogButton>
  )
}

/** What a restore would change, from the present to the version. Who is overtaken sees by whom, and what it comes to now. */
function RestoreDialog({ record, version, close }: RestoreButtonProps & { readonly close: () => void }) {
  const preview = useLoadable((signal) => loadPreview(record, version, signal), [record.id, version])
  useReload(preview, ({ kind, id }) => kind === record.kind && id === record.id)
  const first = useRef<number>(undefined)
  const shown = knownOf(preview)
  if (shown) first.current ??= shown.from.position
  const isOvertaken = shown !== undefined && shown.from.position !== first.current

  const restore = async () => {
    if (!shown) return
    const goOn = goingOn()
    try {
      const etag = await restoreVersion(record, version, shown.etag)
      close()
      goOn(linkWith({ versions: null, at: null }))
      document.getElementById('content')?.focus()
      const before = shown.from.version
      toast(`Version ${version} is restored.`, {
        label: 'Take back',
        act: () => before !== null && takeBack(record, before, etag)
      })
    } catch (error) {
      if (failureOf(error).status !== 412) throw error
      // What is there by now says by whom.
      await preview.reload()
    }
  }
  return (
    <Ask
      title={`Restore version ${version}?`}
      verb="Restore"
      isWide
      disabled={!shown?.changes.length}
      act={restore}
      close={close}
    >
      {isOvertaken && <Overtaken record={record} by={shown.from} />}
      <Show of={preview}>
        {({ changes, more, sides }) =>
          changes.length === 0 ? (
            <p>Nothing would change: it is already what it was then.</p>
          ) : (
            <>
              <p>This is what would change. What is there now stays in the history.</p>
              <DiffFields changes={changes} more={more} sides={sides} nameOf={namesAround(record)} />
            </>
          )
        }
      </Show>
    </Ask>
  )
}

function Overtaken({ record, by }: { readonly record: RecordRef; readonly by: Version }) {
  return (
    <Notice tone="note">
      <Name of={by.by.name ?? 'Somebody'} /> was faster, and {whatHappened(record.kind, by)} <Time at={by.at} />. Below
      is what a restore would change now.
    </Notice>
  )
}

/** Gives the record back what it was before the restore, unless somebody has changed it since. */
const takeBack = (record: RecordRef, version: number, etag: string | null) =>
  void restoreVersion(record, version, etag).then(() => toast('It is as it was before.'), tellFailure)
