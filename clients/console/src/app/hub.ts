import { connectHub, type HubClient, HubRequestError, HubUnreachableError } from '@collections-hub/client'
import { computed, effect, signal } from '@preact/signals'
import { type Fault, faultsOf } from '../model/faults.js'
import { type Refusal, refusalOf } from '../model/signingIn.js'
import { setClock } from './clock.js'

/** How the hub stands: away from the first request that it does not answer, unready while it answers that it cannot serve. */
export const reach = signal<'serving' | 'unready' | 'away'>('serving')

/** Whether the hub answers, and serves. */
export const isReachable = computed(() => reach.value === 'serving')

/** Whether changes arrive by themselves. While they do not, what is shown may be older than the hub. */
export const isFollowing = signal(false)

/** Has `act` done once, as soon as the hub answers again; never where it answers now: it would be asked without an end then. */
export function whenBack(act: () => void): void {
  if (isReachable.peek()) return
  const stop = effect(() => {
    if (!isReachable.value) return
    stop()
    act()
  })
}

/** Where the hub is: one directory above the console, whatever path that is under. */
export const hubUrl = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** Nobody looks at an empty page for longer: where the hub wants to be asked again after more, that is told. */
const RETRY_AFTER_MOST_MS = 5_000

/** In place of a token: who has signed in with a provider has a session that the browser keeps, and that no page reads. */
export const BY_COOKIE = 'cookie'

/** What a hub in trouble answers, or the proxy before it; of one request alone, too. */
const isTrouble = (status: number): boolean => status >= 502 && status <= 504

const LOOK_MS = 2_000
let looking: Promise<void> | null = null
let next: ReturnType<typeof setTimeout> | undefined

/** Looks whether the hub serves at all: where it does not, again until it does. */
async function look(): Promise<void> {
  clearTimeout(next)
  const status = await fetch(`${hubUrl}/readyz`, { cache: 'no-store' }).then(
    (response) => response.status,
    () => null
  )
  reach.value = status === null ? 'away' : isTrouble(status) ? 'unready' : 'serving'
  looking = null
  if (!isReachable.peek()) lookLater()
}
const lookOnce = (): Promise<void> => (looking ??= look())

function lookLater(): void {
  clearTimeout(next)
  next = setTimeout(lookOnce, LOOK_MS)
}

/**
 * The client of a token, or of the session that the browser keeps. `refused` is told why when the hub does not take the token any
 * more. `tenant` is named with each request, unless it is empty: then the hub goes by its own address.
 */
export function hubOf(token: string | undefined, refused: (why: Refusal) => void, tenant = ''): HubClient {
  const watched: typeof fetch = async (input, init) => {
    const isFeed = new Headers(init?.headers).get('accept') === 'text/event-stream'
    try {
      const response = await fetch(input, { ...init, credentials: 'same-origin', cache: 'no-store' })
      setClock(response.headers.get('date'))
      if (isFeed) isFollowing.value = response.ok
      if (isTrouble(response.status)) await lookOnce()
      else if (reach.peek() === 'away') reach.value = 'serving'
      if (response.status === 401) refused(refusalOf(response.headers.get('www-authenticate')))
      return response
    } catch (error) {
      if (!isAbort(error)) {
        reach.value = 'away'
        lookLater()
      }
      throw error
    }
  }
  const named = { ...(token !== undefined && token !== BY_COOKIE && { token }), ...(tenant !== '' && { tenant }) }
  return connectHub({ url: hubUrl, ...named, retryAfterMost_ms: RETRY_AFTER_MOST_MS, fetch: watched })
}

/** What went wrong, as people read it: the hub's own sentence wherever it has said one. */
export interface Failure {
  readonly message: string
  /** 0 where the hub did not answer. */
  readonly status: number
  readonly requestId: string | null
  /** In how many milliseconds the hub wants to be asked again, where it says so. */
  readonly retryAfter_ms?: number | null
  /** What is wrong with the fields of what was sent, where that is why. */
  readonly faults?: readonly Fault[]
}

/** What to say of an error that a request ended with. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HubRequestError) {
    const { message, status, requestId, problem, retryAfter_ms } = error
    return { message, status, requestId, retryAfter_ms, faults: faultsOf(problem) }
  }
  if (error instanceof HubUnreachableError) {
    return { message: 'The hub does not answer. It may be restarting.', status: 0, requestId: null }
  }
  throw error
}

/** What `load` brings; `otherwise` where the hub refuses it with a problem of one of these types. */
export async function unlessRefused<T, O>(types: readonly string[], otherwise: O, load: () => Promise<T>) {
  try {
    return await load()
  } catch (error) {
    if (error instanceof HubRequestError && types.some((type) => error.problem.type === `/problems/${type}`))
      return otherwise
    throw error
  }
}

/** Whether a request was given up because nobody waits for it any more. */
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
