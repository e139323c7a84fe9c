import { effect, signal } from '@preact/signals'
import { type Draft, displaced, type Kept } from '../model/drafts.js'
import { isKind, type RecordRef } from '../model/records.js'
import { identity, session, whenLeaving } from './session.js'

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
export type DraftPlace = Place<Draft>

export const draftPlace = ({ kind, id }: RecordRef): DraftPlace => placeOf(`${kind}/${id}`, isDraft)

/** Where what is typed into a form is kept, which `isForm` knows when it comes back. */
export const formPlace = <T>(form: string, isForm: (value: unknown) => value is T): Place<T> =>
  placeOf(`form/${form}`, isForm)

function placeOf<T>(path: string, isOne: (value: unknown) => value is T): Place<T> {
  const key = `${PREFIX}${identity().user.id}/${path}`
  return {
    read() {
      changes.value
      const value = parsed(sessionStorage.getItem(key))
      return isOne(value) ? value : null
    },
    keep(unsaved) {
      if (hasSignedOut()) return false
      const isThere = store(key, `${Date.now()} ${JSON.stringify(unsaved)}`)
      tell()
      return isThere
    },
    drop() {
      sessionStorage.removeItem(key)
      tell()
    }
  }
}

function store(key: string, text: string): boolean {
  const others = displaced(keptDrafts(), { key, length: text.length })
  for (const other of others ?? [key]) sessionStorage.removeItem(other)
  if (!others) return false
  try {
    sessionStorage.setItem(key, text)
    return true
  } catch {
    // The browser has less room than is usual.
    sessionStorage.removeItem(key)
    return false
  }
}

function keptDrafts(): readonly Kept[] {
  return draftKeys().map((key) => {
    const text = sessionStorage.getItem(key) ?? ''
    return { key, length: text.length, at: Number.parseInt(text, 10) || 0 }
  })
}

const draftKeys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))

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
  for (const key of draftKeys()) if (isGone(key)) sessionStorage.removeItem(key)
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
