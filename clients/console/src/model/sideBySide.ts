import type { Filled, Variables } from './variables.js'

/** An environment with all that it sets. */
export interface SetBy {
  readonly id: string
  readonly name: string
  readonly variables: Variables
}

/** A variable with what each environment sets it to; null where one does not. */
interface Row {
  readonly key: string
  readonly cells: readonly (Filled | null)[]
  /** Whether some set it to something else, or do not set it. */
  readonly differs: boolean
}

/** All variables that any of some environments sets, by name. */
export function sideBySide(environments: readonly SetBy[]): readonly Row[] {
  const keys = new Set(environments.flatMap(({ variables }) => [...variables.keys()]))
  return [...keys]
    .sort((a, b) => a.localeCompare(b))
    .map((key) => {
      const cells = environments.map(({ variables }) => variables.get(key) ?? null)
      return { key, cells, differs: cells.some((cell) => cell?.value !== cells[0]?.value) }
    })
}
