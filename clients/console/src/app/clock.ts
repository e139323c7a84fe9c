import { signal } from '@preact/signals'

const TICK_MS = 30_000

/** The time that relative times are told from: moves twice a minute, and not while nobody looks. */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, TICK_MS)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = Date.now()
})
