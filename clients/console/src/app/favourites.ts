import { computed } from '@preact/signals'
import { ownPlace } from './ownPlace.js'

/** So many at most. */
const MOST = 200
const { text, keep } = ownPlace('favourites')

/** The ids of the collections that somebody wants first. */
export const favourites = computed<ReadonlySet<string>>(() => new Set(text.value.split(' ').filter(Boolean)))

/** Makes a collection a favourite, or no more. */
export function turnFavourite(id: string): void {
  const known = favourites.peek()
  const others = [...known].filter((one) => one !== id)
  keep((known.has(id) ? others : [...others, id].slice(-MOST)).join(' '))
}
