import { type Change, HubRequestError } from '@collections-hub/client'
import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isAbort } from './hub.js'
import { hub, session } from './session.js'

type Listener = (change: Change) => void
const listeners = new Set<Listener>()

/** Whether changes arrive by themselves. While they do not, what is shown may be older than the hub. */
export const isFollowing = signal(false)

/** Has `listener` told of every change that the caller may see, from now on; gives back what ends that. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells a view of every change for as long as it is there. */
export function useChanges(listener: Listener, inputs: readonly unknown[]): void {
  useEffect(() => onChange(listener), inputs)
}

effect(() => {
  if (session.value.is !== 'open') return
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
