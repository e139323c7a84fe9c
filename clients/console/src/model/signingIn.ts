import { counted } from './numbers.js'

const MINUTE_MS = 60_000
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** What is wrong with what somebody gives as a token; undefined where it may be one. */
export function tokenFault(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '') return 'Paste your token here first.'
  if (/^hbk_[\w-]*$/.test(text)) return undefined
  if (text.startsWith('hbk_'))
    return 'There is something in this token that no token has: a blank, or another sign. Paste it again.'
  if (text.startsWith('hbi_') || /^https?:/.test(text))
    return 'This is an invitation or another link, and no token. Open an invitation in the browser: there it becomes your token.'
  return 'This is no token of a hub: one begins with hbk_.'
}

/** What is wrong with what somebody gives as the id of a tenant; undefined where it may be one, or is empty. */
export function tenantFault(typed: string): string | undefined {
  return /^[\w-]*$/.test(typed.trim())
    ? undefined
    : 'This is no id of a tenant: one has letters, digits, hyphens and underscores alone.'
}

/** How long a secret is: `hbk_`, 32 random bytes, and a checksum, which older ones lack. */
const LENGTH = 53
const OLDER_LENGTH = 47
const ASK = 'Ask whoever runs the hub for a new one.'

const ASK_TO_ENABLE = 'Ask whoever runs the hub to enable it again.'

/** Why the hub refuses a token; `unknown` where it says nothing of it: it has no such token, or none any more. */
export type Refusal = 'revoked' | 'expired' | 'disabled' | 'unknown'

const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  ['The token was revoked.', 'revoked'],
  ['The token has expired.', 'expired'],
  ['The account is disabled.', 'disabled']
])

/** Why the hub refuses a token, from the header `WWW-Authenticate` of its answer. */
export function refusalOf(challenge: string | null): Refusal {
  const [, description = ''] = /error_description="([^"]*)"/.exec(challenge ?? '') ?? []
  return REFUSALS.get(description) ?? 'unknown'
}

/** Why somebody with a token that the hub refuses does not get in, and what to do. */
export function refusedText(typed: string, refusal: Refusal): string {
  if (refusal === 'revoked') return `This token was revoked: nobody gets in with it any more. ${ASK}`
  if (refusal === 'expired') return `This token has expired: nobody gets in with it any more. ${ASK}`
  if (refusal === 'disabled')
    return `The account of this token is disabled: nobody gets in with it until it is enabled. ${ASK_TO_ENABLE}`
  const length = [...typed.trim()].length
  if (length !== LENGTH && length !== OLDER_LENGTH) {
    const what = length < LENGTH ? 'cut off' : 'too long'
    return `This token is ${what}: one has ${LENGTH} characters, and this has ${length}. Copy all of it, and paste it again.`
  }
  return `The hub does not know this token. It may be mistyped, revoked, deleted with its account, or of another hub or tenant. Paste it again, or ask whoever runs the hub for a new one.`
}

/** Why a session that the browser keeps has ended, or is none. */
export const sessionOverText = (refusal: Refusal): string => SESSION_OVER[refusal]

const SESSION_OVER: Readonly<Record<Refusal, string>> = {
  expired: 'Your session has ended: it has lasted as long as sessions of this hub do. Sign in again.',
  revoked:
    'Your session was ended: you signed out elsewhere, or the provider or whoever runs the hub ended it. Sign in again.',
  disabled: `You were signed out: your account was disabled. ${ASK_TO_ENABLE}`,
  unknown: 'Your session has ended. Sign in again.'
}

/** Why nobody is signed in in a tab any more that goes by what all tabs share. */
export const ENDED_ELSEWHERE = 'You were signed out in another tab of this browser.'

/** What is to be known where a session could not be ended at the hub. */
export const NOT_ENDED = 'You are signed out here, and the hub may not know it: sign in and out again.'

/** Why a session has ended that was open. */
export const signedOutText = (refusal: Refusal): string => `You were signed out: ${SIGNED_OUT[refusal]}`

const SIGNED_OUT: Readonly<Record<Refusal, string>> = {
  revoked: `your token was revoked. ${ASK}`,
  expired: `your token has expired. ${ASK}`,
  disabled: `your account was disabled. ${ASK_TO_ENABLE}`,
  // An administrator who revokes a token deletes it, and it goes with its account too.
  unknown: `your token was revoked, or your account deleted. ${ASK}`
}

/** Why nobody gets in for so long with a token that was refused too often. */
export function blockedText(wait_ms: number | null, now_ms: number): string {
  const refused = 'This token was refused too often, so the hub takes it no more from your address'
  if (wait_ms === null) return `${refused} for a while.`
  const minutes = Math.max(1, Math.ceil(wait_ms / MINUTE_MS))
  const until = clock.format(now_ms + wait_ms)
  return `${refused} until ${until}, in ${counted(minutes, 'minute')}. Another token is taken at once.`
}
