import { computed } from '@preact/signals'
import type { RecordRef } from '../model/records.js'
import { onChange } from './live.js'
import { ofSession } from './session.js'

/** A record of the tree, with what it is called there. */
export interface ChosenRecord extends RecordRef {
  readonly name: string
}

/** So many can be chosen at once: each is a request to the hub. */
const CHOSEN_MOST = 500

const state = ofSession<ReadonlyMap<string, ChosenRecord>>(new Map())

/** What is chosen in the tree to be moved, deleted or exported together, in the order in which it was chosen. */
export const chosen = computed(() => [...state.value.values()])

export const isChosen = (id: string): boolean => state.value.has(id)

/** Chooses these beside what is chosen already, as many as can be. */
export function choose(records: readonly ChosenRecord[]): void {
  const all = new Map(state.value)
  for (const record of records) if (all.size < CHOSEN_MOST) all.set(record.id, record)
  state.value = all
}

/** Chooses one that is not, or gives it up. */
export function toggleChosen(record: ChosenRecord): void {
  if (isChosen(record.id)) giveUp(record.id)
  else choose([record])
}

export function chooseNone(): void {
  if (state.value.size > 0) state.value = new Map()
}

/** Chooses these, and gives up all others. */
export function chooseOnly(records: readonly ChosenRecord[]): void {
  chooseNone()
  choose(records)
}

function giveUp(id: string): void {
  if (state.value.has(id)) state.value = new Map([...state.value].filter(([one]) => one !== id))
}

onChange(({ id, type }) => {
  if (type.endsWith('Deleted')) giveUp(id)
})
