import { computed, effect, signal } from '@preact/signals'
import { pathOf, type RecordRef, refOf } from '../model/records.js'
import { ownPlace } from './ownPlace.js'
import { route } from './route.js'
import { session } from './session.js'

const MOST = 8
const place = ownPlace('recent')
const changes = signal(0)

/** The records that somebody has opened, the last first. */
export const recent = computed<readonly RecordRef[]>(() => {
  changes.value
  if (session.value.is !== 'open') return []
  return place
    .read()
    .split(' ')
    .flatMap((path) => refOf(path.split('/')) ?? [])
})

effect(() => {
  const ref = session.value.is === 'open' ? refOf(route.value.path) : null
  if (!ref) return
  const before = recent.peek().filter(({ id }) => id !== ref.id)
  const paths = [ref, ...before].slice(0, MOST).map((one) => pathOf(one).join('/'))
  place.keep(paths.join(' '))
  changes.value = changes.peek() + 1
})
