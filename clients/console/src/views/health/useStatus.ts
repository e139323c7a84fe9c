import type { Schemas } from '@collections-hub/client'
import { type Failure, failureOf, isAbort } from '../../app/hub.js'
import { type Loadable, useLoadable } from '../../app/loaded.js'
import { hub } from '../../app/session.js'
import { useEvery } from '../../app/useEvery.js'
import { REFRESH_MS } from './refresh.js'

export type Status = Schemas['Status']

/** How the hub stood when it was last asked, or why it did not say: what was true before is not shown as if it still were. */
export type Looked =
  | { readonly is: 'seen'; readonly status: Status }
  | { readonly is: 'failed'; readonly failure: Failure }

/** Asks the hub how it stands, again and again while somebody looks. */
export function useStatus(): Loadable<Looked> {
  const looked = useLoadable<Looked>(async (signal) => {
    try {
      const { body } = await hub().request('GET', '/admin/status', { signal })
      return { is: 'seen', status: body }
    } catch (error) {
      if (isAbort(error)) throw error
      return { is: 'failed', failure: failureOf(error) }
    }
  }, [])
  useEvery(REFRESH_MS, () => void looked.reload())
  return looked
}
