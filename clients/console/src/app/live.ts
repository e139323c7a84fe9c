import { type Change, HubRequestError } from '@collections-hub/client'
import { effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isAbort, isFollowing } from './hub.js'
import type { Loadable } from './loaded.js'
import { hub, identity, renewIdentity, seesRecords, session } from './session.js'

type Listener = (change: Change) => void
const listeners = new Set<Listener>()

/** Has `listener` told of every change that the caller may see, from now on; gives back what ends that. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells a view of every change for as long as it is there. */
export function useChanges(listener: Listener, inputs: readonly unknown[]): void {
  useEffect(() => onChange(listener), inputs)
}

/** Whether a change is about the account that is signed in: what it may, or what stands for it. */
export const isOwn = ({ kind, id }: Change): boolean => kind === 'user' && id === identity().user.id

onChange((change) => {
  if (isOwn(change) || change.type === 'HubAvatarChanged') void renewIdentity()
})

effect(() => {
  if (session.value.is !== 'open' || !seesRecords.value) return
  const stopping = new AbortController()
  void follow(stopping.signal)
  return () => stopping.abort()
})

/** Follows the hub until the session ends. The client resumes by itself behind the last change. */
async function follow(stopped: AbortSignal): Promise<void> {
  isFollowing.value = true
  try {
    for await (const change of hub().changes({ signal: stopped })) for (const tell of listeners) tell(change)
  } catch (error) {
    if (!isAbort(error) && !(error instanceof HubRequestError)) throw error
  } finally {
    isFollowing.value = false
  }
}

/** Has `act` done once for all that asks for it within a while. */
export function together(act: () => unknown, pause_ms = 120) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const ask = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void act()
    }, pause_ms)
  }
  return { ask, stop }
}

/** Asks anew for what a view shows after changes that concern it; those that come together are one question. */
export function useReload(shown: Pick<Loadable<unknown>, 'reload'>, concerns: (change: Change) => boolean): void {
  useEffect(() => {
    const { ask, stop } = together(shown.reload)
    const end = onChange((change) => concerns(change) && ask())
    return () => {
      end()
      stop()
    }
  }, [shown])
}
