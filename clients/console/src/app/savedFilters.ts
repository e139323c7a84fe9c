import { computed } from '@preact/signals'
import { type SavedFilter, savedIn, textOf, withFilter } from '../model/savedFilters.js'
import { now } from './clock.js'
import { ownPlace } from './ownPlace.js'

const place = ownPlace('auditFilters')

/** The filters of the log that the browser keeps for the account, in the order in which they were saved. */
export const savedFilters = computed<readonly SavedFilter[]>(() => savedIn(place.text.value, now.value))

/** Keeps a filter under its name, in place of one of the same name. */
export const saveFilter = (one: SavedFilter): void => keep(withFilter(savedFilters.peek(), one))

export const forgetFilter = (name: string): void => keep(savedFilters.peek().filter((one) => one.name !== name))

const keep = (saved: readonly SavedFilter[]): void => place.keep(textOf(saved, now.peek()))
