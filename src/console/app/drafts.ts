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

/** Where the draft of one record is kept: in this tab alone, for the account that is signed in. */
export interface DraftPlace {
  read(): Draft | null
  /** Keeps it, in place of older drafts where there is no more room. False where it is too large to be kept. */
  keep(draft: Draft): boolean
  drop(): void
}

export function draftPlace({ kind, id }: RecordRef): DraftPlace {
  const key = `${PREFIX}${identity().user.id}/${kind}/${id}`
  return {
    read() {
      changes.value
      return parsed(sessionStorage.getItem(key))
    },
    keep(draft) {
      if (hasSignedOut()) return false
      const isThere = store(key, `${draft.at} ${JSON.stringify(draft)}`)
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
function parsed(text: string | null): Draft | null {
  if (text === null) return null
  try {
    const draft: Draft = JSON.parse(text.slice(text.indexOf(' ')))
    return isKind(draft.kind) && typeof draft.base === 'object' && typeof draft.mine === 'object' ? draft : null
  } catch {
    return null
  }
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
