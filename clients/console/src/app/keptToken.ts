import { hubUrl } from './hub.js'
import { ofBrowser, ofTab } from './storage.js'

const TOKEN_KEY = 'hub.token'
const TENANT_KEY = 'hub.tenant'
/** Hubs below other paths of the same origin have tokens of their own. */
const SHARED_KEY = `${TOKEN_KEY} ${hubUrl}`

/** The token of a session, and the tenant that it is at; empty where none was named. */
export interface KeptToken {
  readonly token: string
  readonly tenant: string
}

/** What this tab is signed in with: what it has for itself, else what all tabs of the browser share. */
export function keptToken(): KeptToken | null {
  const own = ofTab.getItem(TOKEN_KEY)
  if (own !== null) return { token: own, tenant: ofTab.getItem(TENANT_KEY) ?? '' }
  const [token = '', tenant = ''] = ofBrowser.getItem(SHARED_KEY)?.split(' ') ?? []
  return token === '' ? null : { token, tenant }
}

/** Whether this tab goes by what all tabs share. */
export const isSharedToken = (): boolean => ofTab.getItem(TOKEN_KEY) === null

/** Keeps a token for all tabs, or for this one alone. */
export function keepToken({ token, tenant }: KeptToken, isShared: boolean): void {
  forgetToken()
  if (isShared) ofBrowser.setItem(SHARED_KEY, tenant === '' ? token : `${token} ${tenant}`)
  else {
    ofTab.setItem(TOKEN_KEY, token)
    if (tenant !== '') ofTab.setItem(TENANT_KEY, tenant)
  }
}

/** Forgets what this tab is signed in with. Where it had a token for itself, that of the others stays. */
export function forgetToken(): void {
  const isOwn = ofTab.getItem(TOKEN_KEY) !== null
  ofTab.removeItem(TOKEN_KEY)
  ofTab.removeItem(TENANT_KEY)
  if (!isOwn) ofBrowser.removeItem(SHARED_KEY)
}

/** Tells when another tab has signed in or out for all of them, or may have while the browser kept this page whole for the way back. */
export function whenShared(tell: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === SHARED_KEY || key === null) tell()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) tell()
  })
}
