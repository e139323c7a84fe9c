import type { Variables } from './variables.js'

/** An environment with all that it sets. */
export interface SetBy {
  readonly id: string
  readonly name: string
  readonly variables: Variables
}

/** All variables that any of some environments sets, by name, with what each sets it to, null for nothing, and whether that differs. */
export function sideBySide(environments: readonly SetBy[]) {
  const keys = new Set(environments.flatMap(({ variables }) => [...variables.keys()]))
  return [...keys]
    .sort((a, b) => a.localeCompare(b))
    .map((key) => {
      const cells = environments.map(({ variables }) => variables.get(key) ?? null)
      return { key, cells, differs: cells.some((cell) => cell?.value !== cells[0]?.value) }
    })
}
