import { signal } from '@preact/signals'

const TICK_MS = 30_000
/** What is within it may be the way of an answer, which tells whole seconds. */
const SLACK_MS = 30_000

/** By how much the hub's clock is ahead of the browser's. */
let ahead_ms = 0

/** What time it is by the hub's clock: what it has issued is over by that. */
export const hubTime = (): number => Date.now() + ahead_ms

/** The time that relative times are told from: moves twice a minute, and not while nobody looks. */
export const now = signal(hubTime())

function tick(): void {
  if (!document.hidden) now.value = hubTime()
}
setInterval(tick, TICK_MS)
document.addEventListener('visibilitychange', tick)

/** Goes by the clock of a hub that has answered at this time, where the browser's is another. */
export function setClock(answered: string | null): void {
  const at = Date.parse(answered ?? '')
  if (!(Math.abs(at - hubTime()) > SLACK_MS)) return
  ahead_ms = at - Date.now()
  now.value = hubTime()
}
