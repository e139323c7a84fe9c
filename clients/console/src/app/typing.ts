import { effect, signal } from '@preact/signals'
import type { Draft } from '../model/drafts.js'
import type { DraftPlace } from './drafts.js'

/** Typing that goes on is kept together. */
const TYPING_MS = 250

/** Keeps a draft in its place a moment after it has changed, and before the page goes; none where nothing is changed. */
export function keepTyping(place: DraftPlace, draftNow: () => Omit<Draft, 'at'> | null) {
  const isKept = signal(true)
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const draft = draftNow()
    if (draft) isKept.value = place.keep({ ...draft, at: Date.now() })
    else place.drop()
  }
  const stopWatching = effect(() => {
    draftNow()
    timer ??= setTimeout(keep, TYPING_MS)
  })
  addEventListener('pagehide', keep)
  const stop = () => {
    stopWatching()
    keep()
    removeEventListener('pagehide', keep)
  }
  /** `isKept` is false where there is too much to be kept. */
  return { isKept, stop }
}
