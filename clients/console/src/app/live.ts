import { type Change, HubRequestError } from '@collections-hub/client'
import { computed, effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isAbort, isFollowing } from './hub.js'
import { type Loadable, reloadAll } from './loaded.js'
import { hub, identity, ofSession, renewIdentity, seesRecords, session } from './session.js'

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

/** So long a stream stays open in a tab that nobody looks at. */
const UNSEEN_MS = 3_000
const isSeen = signal(true)
let unseen: ReturnType<typeof setTimeout> | undefined

function lookedAt(): void {
  clearTimeout(unseen)
  if (document.hidden) unseen = setTimeout(() => (isSeen.value = false), UNSEEN_MS)
  else isSeen.value = true
}
lookedAt()
document.addEventListener('visibilitychange', lookedAt)

/** Where the hub is followed from: behind the last change that is known, or from now on. */
const place = ofSession<string | undefined>(undefined)

/**
 * Over HTTP/1.1 all tabs of a browser have six connections to the hub together, and each stream is one: only who is looked at follows it,
 * and goes on where it was. Before anything is known of where that is, nobody could.
 */
const isToFollow = computed(() => isSeen.value || place.value === undefined)

effect(() => {
  if (session.value.is !== 'open' || !seesRecords.value || !isToFollow.value) return
  const stopping = new AbortController()
  void follow(stopping.signal)
  return () => {
    stopping.abort()
    isFollowing.value = false
  }
})

/** So long is waited before the hub is followed anew where it, or a proxy before it, has refused that. */
const REFUSED_MS = 2_000

/**
 * Follows the hub until the session ends, or nobody looks. The client resumes by itself behind the last change. Where that place is none
 * of the log any more, and where the feed could not begin at once, what is shown is read anew once it begins.
 */
async function follow(stopped: AbortSignal): Promise<void> {
  isFollowing.value = true
  let isBehind = false
  const stopWatching = isFollowing.subscribe((is) => {
    isBehind ||= !is && place.peek() === undefined
  })
  const reached = (to: string) => {
    if (stopped.aborted) return
    place.value = to
    if (isBehind) {
      reloadAll()
      void renewIdentity()
    }
    isBehind = false
  }
  while (!stopped.aborted) {
    try {
      const after = place.peek()
      const changes = hub().changes({ signal: stopped, reached, ...(after !== undefined && { after }) })
      for await (const change of changes) for (const tell of listeners) tell(change)
    } catch (error) {
      if (isAbort(error)) break
      if (!(error instanceof HubRequestError)) throw error
      if (error.status === 403) break
      if (error.status === 400 || error.status === 410) place.value = undefined
      isBehind ||= place.peek() === undefined
      await new Promise((resolve) => setTimeout(resolve, REFUSED_MS))
    }
  }
  stopWatching()
}

/** So long what is being done is waited for, before it is begun anew. */
const DONE_MOST_MS = 5_000

/**
 * Has `act` done once for all that asks for it within a while, and once more for what asks while it is being done: where changes come
 * more quickly than the hub answers, none of its answers would be there otherwise.
 */
export function together(act: () => unknown, pause_ms = 120) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsked = false
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const ask = () => {
    isAsked = true
    timer ??= setTimeout(async () => {
      const own = timer
      isAsked = false
      try {
        await Promise.race([act(), new Promise((resolve) => setTimeout(resolve, DONE_MOST_MS))])
      } finally {
        if (timer === own) {
          timer = undefined
          if (isAsked) ask()
        }
      }
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
