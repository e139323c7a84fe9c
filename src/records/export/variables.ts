import type { Notes, Variable } from '../formats/model.js'

/** A variable as formats have it: with one value. */
export type WrittenVariable = Omit<Variable, 'defaultValue'>

/** Variables with the value that is in force. What formats have no place for is told: `secrets` says that one knows which are not shared. */
export function writtenVariables(
  variables: readonly Variable[],
  place: string,
  notes: Notes,
  { secrets }: { readonly secrets: boolean }
): readonly WrittenVariable[] {
  if (variables.some(({ defaultValue }) => defaultValue !== ''))
    notes.add(place, 'A default value becomes the value of a variable that has none, and is left out otherwise.')
  if (!secrets && variables.some(({ share }) => !share)) notes.add(place, 'That variables are not shared is left out.')
  return variables.map(({ value, defaultValue, ...rest }) => ({ ...rest, value: value || defaultValue }))
}
