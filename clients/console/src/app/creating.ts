import { signal } from '@preact/signals'
import type { Kind } from '../model/records.js'
import type { Container } from './records.js'
import { whenLeaving } from './session.js'

/** The kind of record that somebody is making, and where: nowhere for what stands by itself. */
export const creating = signal<{ readonly kind: Kind; readonly container?: Container | undefined } | null>(null)
whenLeaving(() => {
  creating.value = null
})
