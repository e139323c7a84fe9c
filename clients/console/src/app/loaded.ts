import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Failure, failureOf, isAbort, whenBack } from './hub.js'
import { keepFocus } from './keepFocus.js'

/** Something that the hub is asked for: what is shown while it is not there is part of it. */
type Loaded<T> =
  | { readonly is: 'loading' }
  | { readonly is: 'ready'; readonly value: T }
  | { readonly is: 'failed'; readonly failure: Failure }

/** Something that can be asked for again. What is there stays until what comes is. */
export interface Loadable<T> {
  readonly state: ReadonlySignal<Loaded<T>>
  /** Asks anew, and gives up the question before it. */
  reload(): Promise<void>
  /** Changes what is there, if anything is. */
  change(by: (value: T) => T): void
  /** Gives up what is being asked. */
  stop(): void
  /** Forgets what is there as well: nothing is left for another session. */
  clear(): void
}

/** What was asked for, and is wanted still. */
const wanted = new Set<() => Promise<void>>()

/** Asks anew for everything that is wanted, where nobody knows what of it has changed. */
export function reloadAll(): void {
  for (const reload of wanted) void reload()
}

/**
 * Something that `load` asks the hub for, when `reload` is called. A failure replaces nothing that is there. A hub that does
 * not answer, or cannot serve, is asked again when it does.
 */
export function loadable<T>(load: (signal: AbortSignal) => Promise<T>): Loadable<T> {
  const state = signal<Loaded<T>>({ is: 'loading' })
  let asking: AbortController | undefined
  const reload = async (): Promise<void> => {
    wanted.add(reload)
    asking?.abort()
    const mine = new AbortController()
    asking = mine
    try {
      const value = await load(mine.signal)
      if (!mine.signal.aborted) state.value = { is: 'ready', value }
    } catch (error) {
      if (mine.signal.aborted || isAbort(error)) return
      const failure = failureOf(error)
      const isGone = failure.status === 404 || failure.status === 403
      if (state.value.is !== 'ready' || isGone) state.value = { is: 'failed', failure }
      whenBack(() => void (mine.signal.aborted || reload()))
    }
  }
  const stop = () => {
    wanted.delete(reload)
    asking?.abort()
  }
  return {
    state,
    reload,
    change(by) {
      if (state.value.is === 'ready') state.value = { is: 'ready', value: by(state.value.value) }
    },
    stop,
    clear() {
      stop()
      state.value = { is: 'loading' }
    }
  }
}

/** What is known of something by now. */
export function knownOf<T>({ state }: Loadable<T>): T | undefined {
  return state.value.is === 'ready' ? state.value.value : undefined
}

/** Asks the hub for what a view shows, whenever one of `inputs` is another, and gives up when the view goes. */
export function useLoadable<T>(load: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loadable<T> {
  const loading = useMemo(() => loadable(load), inputs)
  useEffect(() => {
    void loading.reload()
    return loading.stop
  }, [loading])
  return loading
}

/** What `load` brings for a moment, or up to so many. What was there for the one before stays until the new one has come. */
export function useMoment<T, A>(load: (at: A, signal: AbortSignal) => Promise<T>, id: string, at: A): Loadable<T> {
  const wanted = useRef(at)
  const shown = useLoadable((signal) => load(wanted.current, signal), [id])
  useEffect(() => {
    if (wanted.current === at) return
    wanted.current = at
    void shown.reload()
  }, [shown, at])
  return shown
}

/**
 * What a view does when somebody asks for it: once at a time, with why it failed, or until a hub that was away answers. `run` tells
 * whether it is done.
 */
export function useAct() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  return {
    isBusy,
    failure,
    async run(act: () => Promise<unknown>): Promise<boolean> {
      if (isBusy) return false
      const focused = document.activeElement
      setBusy(true)
      setFailure(undefined)
      try {
        await act()
        return true
      } catch (error) {
        const failure = failureOf(error)
        setFailure(failure)
        if (failure.status === 0) whenBack(() => setFailure(undefined))
        return false
      } finally {
        setBusy(false)
        keepFocus(focused)
      }
    }
  }
}

/** Whether what uses it is still shown, for what is to be done once the hub has answered. */
export function useIsOpen(): { readonly current: boolean } {
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return isOpen
}

/** Does something again and again while the page can be seen, and at once when it can be seen again. */
export function useEvery(pause_ms: number, act: () => void): void {
  const newest = useRef(act)
  newest.current = act
  useEffect(() => {
    const now = () => {
      if (!document.hidden) newest.current()
    }
    const timer = setInterval(now, pause_ms)
    document.addEventListener('visibilitychange', now)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', now)
    }
  }, [pause_ms])
}
