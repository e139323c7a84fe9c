import { hubUrl } from './hub.js'

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
  const own = sessionStorage.getItem(TOKEN_KEY)
  if (own !== null) return { token: own, tenant: sessionStorage.getItem(TENANT_KEY) ?? '' }
  const [token = '', tenant = ''] = localStorage.getItem(SHARED_KEY)?.split(' ') ?? []
  return token === '' ? null : { token, tenant }
}

/** Whether this tab goes by what all tabs share. */
export const isSharedToken = (): boolean => sessionStorage.getItem(TOKEN_KEY) === null

/** Keeps a token for all tabs, or for this one alone. */
export function keepToken({ token, tenant }: KeptToken, isShared: boolean): void {
  forgetToken()
  if (isShared) localStorage.setItem(SHARED_KEY, tenant === '' ? token : `${token} ${tenant}`)
  else {
    sessionStorage.setItem(TOKEN_KEY, token)
    if (tenant !== '') sessionStorage.setItem(TENANT_KEY, tenant)
  }
}

/** Forgets what this tab is signed in with. Where it had a token for itself, that of the others stays. */
export function forgetToken(): void {
  const isOwn = sessionStorage.getItem(TOKEN_KEY) !== null
  sessionStorage.removeItem(TOKEN_KEY)
  sessionStorage.removeItem(TENANT_KEY)
  if (!isOwn) localStorage.removeItem(SHARED_KEY)
}

/** Tells when another tab has signed in or out for all of them. */
export function whenShared(tell: () => void): void {
  addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea === localStorage && (key === SHARED_KEY || key === null)) tell()
  })
}
