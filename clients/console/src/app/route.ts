import { computed, signal } from '@preact/signals'
import { percentDecoded } from '../model/urlSecrets.js'

/** What is open, as the part of the URL behind `#` says it: deep links and the back button work by it. */
export interface Route {
  /** The steps of the path: `['collections', 'ID', 'requests', 'ID']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** Asked before the reader leaves for another address, or for null signs out: says whether they may at once. `leave` goes there later. */
type Guard = (to: Route | null, leave: () => void) => boolean
let guard: Guard | null = null

const current = signal(read())
/** Where what is open is in the history of the tab: it tells how far, and which way, the reader has gone. */
let at = placeInHistory() ?? 0
history.replaceState(at, '')

addEventListener('hashchange', () => {
  const to = read()
  const place = placeInHistory() ?? at + 1
  const steps = place - at
  history.replaceState(place, '')
  const leave = () => {
    guard = null
    history.go(steps)
  }
  if (steps === 0 || !guard || guard(to, leave)) {
    at = place
    current.value = to
  } else history.go(-steps)
})

function placeInHistory(): number | null {
  return typeof history.state === 'number' ? history.state : null
}

/**
 * Has `mayLeave` asked before another address is opened, and the browser ask before the page goes where `isSafe` says that something is
 * lost by it; gives back what ends that.
 */
export function guardLeaving(mayLeave: Guard, isSafe: () => boolean): () => void {
  guard = mayLeave
  const onUnload = (event: BeforeUnloadEvent) => {
    if (!isSafe()) event.preventDefault()
  }
  addEventListener('beforeunload', onUnload)
  return () => {
    if (guard === mayLeave) guard = null
    removeEventListener('beforeunload', onUnload)
  }
}

/** Does what takes the reader away from what is open, once they may leave it; `isEnd` where it ends the session. */
export function leaving(act: () => void, isEnd = false): void {
  const leave = () => {
    guard = null
    act()
  }
  if (!guard || guard(isEnd ? null : { path: [], query: new URLSearchParams() }, leave)) leave()
}

export const route = computed(() => current.value)

/** Whether the page of this path is still open: who has gone on before the hub answered is taken nowhere else. */
export const isAt = (path: readonly string[]): boolean => path.join('/') === current.peek().path.join('/')

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  const steps = path.split('/').map((step) => percentDecoded(step))
  // In the path of a request these would lead elsewhere.
  return { path: steps.filter((step) => !['', '.', '..'].includes(step)), query: new URLSearchParams(query) }
}

/** A link within the console. Values that are undefined, null or empty are left out of its query. */
export function linkTo(path: readonly string[], query: Readonly<Record<string, string | null | undefined>> = {}) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  return `#/${path.map(encodeURIComponent).join('/')}${search.size === 0 ? '' : `?${search}`}`
}

/** Opens a link of the console; `replace` where going back should not come here. */
export function go(link: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = link
    return
  }
  history.replaceState(at, '', link)
  current.value = read()
}

/** Opens a link as `go` does, once what is asked for now is answered; not for a reader who has gone on meanwhile. */
export function goingOn(): typeof go {
  const { path } = current.peek()
  return (link, options) => {
    if (isAt(path)) go(link, options)
  }
}

/** The present link with other values in its query; null takes one out. */
export function linkWith(change: Readonly<Record<string, string | null>>): string {
  const { path, query } = current.value
  return linkTo(path, { ...Object.fromEntries(query), ...change })
}
