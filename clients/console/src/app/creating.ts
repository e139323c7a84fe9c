import { signal } from '@preact/signals'
import type { Kind } from '../model/records.js'
import { whenLeaving } from './session.js'

/** The kind of record that somebody is making, which stands by itself. */
export const creating = signal<Kind | null>(null)
whenLeaving(() => {
  creating.value = null
})
