import { effect, signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { type Draft, displaced, type Kept } from '../model/drafts.js'
import { isKind, type RecordRef } from '../model/records.js'
import { hubTime } from './clock.js'
import { identity, session, whenLeaving } from './session.js'
import { ofTab } from './storage.js'

const PREFIX = 'hub.draft/'
/** Counts what happens to drafts, so that who shows one is told. */
const changes = signal(0)
const tell = () => {
  changes.value = changes.peek() + 1
}

/** Where something that is not saved yet is kept: in this tab alone, for the account that is signed in. */
interface Place<T> {
  read(): T | null
  /** Keeps it, in place of older ones where there is no more room. False where it is too large to be kept. */
  keep(unsaved: T): boolean
  drop(): void
}

/** Where the draft of one record is kept. */
type DraftPlace = Place<Draft>

export const draftPlace = ({ kind, id }: RecordRef): DraftPlace => placeOf(`${kind}/${id}`, isDraft)

/** Where what is typed into a form is kept, which `isForm` knows when it comes back. */
const formPlace = <T>(form: string, isForm: (value: unknown) => value is T): Place<T> => placeOf(`form/${form}`, isForm)

function placeOf<T>(path: string, isOne: (value: unknown) => value is T): Place<T> {
  const key = `${PREFIX}${identity().user.id}/${path}`
  return {
    read() {
      changes.value
      const value = parsed(ofTab.getItem(key))
      return isOne(value) ? value : null
    },
    keep(unsaved) {
      if (hasSignedOut()) return false
      const isThere = store(key, `${hubTime()} ${JSON.stringify(unsaved)}`)
      tell()
      return isThere
    },
    drop() {
      ofTab.removeItem(key)
      tell()
    }
  }
}

function store(key: string, text: string): boolean {
  const others = displaced(keptDrafts(), { key, length: text.length })
  for (const other of others ?? [key]) ofTab.removeItem(other)
  if (!others) return false
  try {
    ofTab.setItem(key, text)
    return true
  } catch {
    // The browser has less room than is usual.
    ofTab.removeItem(key)
    return false
  }
}

function keptDrafts(): readonly Kept[] {
  return draftKeys().map((key) => {
    const text = ofTab.getItem(key) ?? ''
    return { key, length: text.length, at: Number.parseInt(text, 10) || 0 }
  })
}

const draftKeys = () => ofTab.keys().filter((key) => key.startsWith(PREFIX))

/** What is in the tab's storage is the console's own, unless somebody has written there by hand. */
function parsed(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text.slice(text.indexOf(' ')))
  } catch {
    return null
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { kind, base, mine } = value as Partial<Record<keyof Draft, unknown>>
  return typeof kind === 'string' && isKind(kind) && typeof base === 'object' && typeof mine === 'object'
}

function hasSignedOut(): boolean {
  const state = session.peek()
  return state.is === 'closed' && state.reason === undefined
}

function dropWhere(isGone: (key: string) => boolean): void {
  for (const key of draftKeys()) if (isGone(key)) ofTab.removeItem(key)
  tell()
}

// A session that the hub has ended leaves them for when its account is back; who signs out leaves nothing behind.
whenLeaving(() => {
  if (hasSignedOut()) dropWhere(() => true)
})
effect(() => {
  const state = session.value
  if (state.is === 'open') dropWhere((key) => !key.startsWith(`${PREFIX}${state.identity.user.id}/`))
})

/** Typing that goes on is kept together. */
const TYPING_MS = 250
/** What takes longer to keep waits for a pause in the typing, so long at most: no key has to wait for it. */
const LONG_MS = 20
const PAUSE_MS = 1000
const WAIT_MOST_MS = 5000

/** Keeps a draft in its place a moment after it has changed, and before the page goes; none where nothing is changed. */
export function keepTyping(place: DraftPlace, draftNow: () => Omit<Draft, 'at'> | null) {
  const isKept = signal(true)
  let timer: ReturnType<typeof setTimeout> | undefined
  let took_ms = 0
  let changedSince = 0
  const keep = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    const begun = performance.now()
    const draft = draftNow()
    if (draft) isKept.value = place.keep({ ...draft, at: hubTime() })
    else place.drop()
    took_ms = performance.now() - begun
  }
  const stopWatching = effect(() => {
    draftNow()
    const now = performance.now()
    if (timer === undefined) changedSince = now
    const isLong = took_ms > LONG_MS
    if (isLong && now - changedSince < WAIT_MOST_MS) {
      clearTimeout(timer)
      timer = undefined
    }
    timer ??= setTimeout(keep, isLong ? PAUSE_MS : TYPING_MS)
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

/**
 * What is typed into a form: a reload, or a session that ends, loses nothing of it. It begins with what was typed into the form of this
 * name and not saved, which `isForm` knows, else with `initial`; `forget` is called once it is saved, or nobody wants it any more.
 */
export function useTyped<T extends object>(form: string, initial: () => T, isForm: (value: unknown) => value is T) {
  const place = formPlace(form, isForm)
  const [kept] = useState(() => place.read())
  const [typed, setTyped] = useState(() => kept ?? initial())
  const [isRestored, setRestored] = useState(kept !== null)
  return {
    typed,
    isRestored,
    type: (by: Partial<T>) =>
      setTyped((before) => {
        const after = { ...before, ...by }
        place.keep(after)
        return after
      }),
    forget: () => {
      place.drop()
      setRestored(false)
    }
  }
}
