import { computed, signal } from '@preact/signals'
import { ownPlace } from './ownPlace.js'
import { session } from './session.js'

/** So many at most. */
const MOST = 200
const place = ownPlace('favourites')
const changes = signal(0)

/** The ids of the collections that somebody wants first. */
export const favourites = computed<ReadonlySet<string>>(() => {
  changes.value
  return new Set(session.value.is === 'open' ? place.read().split(' ').filter(Boolean) : [])
})

/** Makes a collection a favourite, or no more. */
export function turnFavourite(id: string): void {
  const known = favourites.peek()
  const others = [...known].filter((one) => one !== id)
  place.keep((known.has(id) ? others : [...others, id].slice(-MOST)).join(' '))
  changes.value = changes.peek() + 1
}
