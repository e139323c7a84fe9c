/**
 * Shares round trips among lookups: keys that are asked for in one turn of the event loop go together, so every call is
 * answered from a trip that started after it was made, and none waits for another's. `load` resolves to one answer per
 * key, in the order of the keys; when it rejects, every call of that trip does.
 */
export function gathered<T>(load: (keys: readonly string[]) => Promise<readonly T[]>) {
  let gathering: { readonly keys: string[]; readonly answers: Promise<readonly T[]> } | null = null
  const trip = () => {
    const keys: string[] = []
    const turnEnds = new Promise<void>((resolve) => setImmediate(resolve))
    const answers = turnEnds.then(() => {
      gathering = null
      return load(keys)
    })
    return { keys, answers }
  }
  return async (keys: readonly string[]): Promise<readonly T[]> => {
    gathering ??= trip()
    const { answers, keys: together } = gathering
    const from = together.push(...keys) - keys.length
    return (await answers).slice(from, from + keys.length)
  }
}
