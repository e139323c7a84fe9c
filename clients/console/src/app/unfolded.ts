import { signal } from '@preact/signals'
import { whenLeaving } from './session.js'

const state = signal<ReadonlySet<string>>(new Set())

/** The collections and folders that are open in the tree, by id. */
export const unfolded = state

/** Opens these in the tree, and leaves the others as they are. */
export function unfold(ids: readonly string[]): void {
  if (ids.some((id) => !state.value.has(id))) state.value = new Set([...state.value, ...ids])
}

export function fold(id: string): void {
  state.value = new Set([...state.value].filter((one) => one !== id))
}

whenLeaving(() => {
  state.value = new Set()
})
