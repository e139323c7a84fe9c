import { useEffect } from 'preact/hooks'
import { type Moment, momentsOf } from '../model/moments.js'
import { useReload } from './live.js'
import { knownOf, type Loadable, loadable } from './loaded.js'
import { mayEdit } from './records.js'
import { whenLeaving } from './session.js'
import { loadActivity } from './trees.js'

/** So many collections are asked about at once. */
const AT_ONCE = 4
/** What one command did is told together, of so many events. */
const EVENTS = 20
let asking = 0
const waiting: (() => void)[] = []

/** Has work wait until few enough others are at it. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (asking >= AT_ONCE) await new Promise<void>((go) => waiting.push(go))
  asking++
  try {
    return await work()
  } finally {
    asking--
    waiting.shift()?.()
  }
}

const lasts = new Map<string, Loadable<Moment | null>>()

/**
 * What happened last to a collection or in it, kept up to date while it is shown; null for nothing, undefined while that is not known.
 * Administrators are not told.
 */
export function useLastChange(id: string): Moment | null | undefined {
  const last = lastOf(id)
  useEffect(() => {
    if (mayEdit()) void last.reload()
    return last.stop
  }, [last])
  useReload(last, (change) => mayEdit() && (change.collectionId === id || change.id === id))
  return knownOf(last)
}

/** What is known of it stays, also while it is not shown. */
function lastOf(id: string): Loadable<Moment | null> {
  const known = lasts.get(id)
  if (known) return known
  const last = loadable((signal) =>
    inTurn(async () => momentsOf((await loadActivity(id, { limit: EVENTS }, signal)).events)[0] ?? null)
  )
  lasts.set(id, last)
  return last
}

whenLeaving(() => lasts.clear())
