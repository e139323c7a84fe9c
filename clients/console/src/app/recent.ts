import { computed, effect } from '@preact/signals'
import { pathOf, type RecordRef, refOf } from '../model/records.js'
import { ownPlace } from './ownPlace.js'
import { route } from './route.js'
import { session } from './session.js'

const MOST = 8
const { text, keep } = ownPlace('recent')

/** The records that somebody has opened, the last first. */
export const recent = computed<readonly RecordRef[]>(() =>
  text.value.split(' ').flatMap((path) => refOf(path.split('/')) ?? [])
)

effect(() => {
  const ref = session.value.is === 'open' ? refOf(route.value.path) : null
  if (!ref) return
  const before = recent.peek().filter(({ id }) => id !== ref.id)
  const paths = [ref, ...before].slice(0, MOST).map((one) => pathOf(one).join('/'))
  keep(paths.join(' '))
})
