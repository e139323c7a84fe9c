import { type EnvironmentOfFile, environmentKey } from '../../formats/model.js'

/** Each behind the one that it adds to; what goes in a circle adds to nothing. */
export function parentsFirst(environments: readonly EnvironmentOfFile[]): readonly EnvironmentOfFile[] {
  const waiting = new Map(environments.map((one) => [environmentKey(one), one]))
  const sorted: EnvironmentOfFile[] = []
  for (const one of environments) {
    const below: EnvironmentOfFile[] = []
    let next = waiting.has(environmentKey(one)) ? one : undefined
    while (next) {
      waiting.delete(environmentKey(next))
      below.push(next)
      next = next.parent === null ? undefined : waiting.get(next.parent)
    }
    for (const each of below.toReversed()) sorted.push(each)
  }
  return sorted
}
