import { useState } from 'preact/hooks'
import { loadVersions, type VersionPage } from '../../app/history.js'
import { failureOf } from '../../app/hub.js'
import { type Loadable, useLoadable } from '../../app/loaded.js'
import { useReload } from '../../app/useReload.js'
import type { RecordRef } from '../../model/records.js'
import { mergedVersions } from '../../model/versions.js'
import { toast } from '../../ui/toasts.js'

interface Timeline {
  readonly versions: Loadable<VersionPage>
  /** Loads what is behind the last version that is shown. */
  readonly older: () => Promise<void>
  readonly isBusy: boolean
}

/** The versions of a record, the newest first: it grows by itself at the top, and at the end when it is asked to. */
export function useTimeline(ref: RecordRef): Timeline {
  const [isBusy, setBusy] = useState(false)
  const versions: Loadable<VersionPage> = useLoadable(
    async (signal) => {
      const newest = await loadVersions(ref, signal)
      const known = versions.state.value
      if (known.is !== 'ready') return newest
      const merged = mergedVersions(newest.versions, known.value.versions)
      const { hasOlder } = merged.length > newest.versions.length ? known.value : newest
      return { versions: merged, hasOlder }
    },
    [ref.kind, ref.id]
  )
  useReload(versions, ({ kind, id }) => kind === ref.kind && id === ref.id)
  const older = async () => {
    const known = versions.state.value
    const last = known.is === 'ready' ? known.value.versions.at(-1) : undefined
    if (!last) return
    setBusy(true)
    try {
      const page = await loadVersions(ref, new AbortController().signal, last)
      versions.change((now) =>
        now.versions.at(-1)?.position === last.position
          ? { versions: [...now.versions, ...page.versions], hasOlder: page.hasOlder }
          : now
      )
    } catch (error) {
      toast(failureOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  return { versions, older, isBusy }
}
