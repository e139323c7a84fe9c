import { effect, signal } from '@preact/signals'
import { type RecordRef, refOf } from '../model/records.js'
import { route } from './route.js'
import { whenLeaving } from './session.js'

const MOST = 8

/** The records that were opened in this tab, the last first. */
export const recent = signal<readonly RecordRef[]>([])

effect(() => {
  const ref = refOf(route.value.path)
  const before = recent.peek().filter(({ id }) => id !== ref?.id)
  if (ref) recent.value = [ref, ...before].slice(0, MOST)
})
whenLeaving(() => {
  recent.value = []
})
