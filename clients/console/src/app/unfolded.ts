import { ofSession } from './session.js'

/** The collections and folders that are open in the tree, by id. */
export const unfolded = ofSession<ReadonlySet<string>>(new Set())

/** Opens these in the tree, and leaves the others as they are. */
export function unfold(ids: readonly string[]): void {
  if (ids.some((id) => !unfolded.value.has(id))) unfolded.value = new Set([...unfolded.value, ...ids])
}

export function fold(id: string): void {
  unfolded.value = new Set([...unfolded.value].filter((one) => one !== id))
}
