/**
 * Shares round trips among lookups: keys asked for while one trip is on its way go together in the next, so every call is
 * answered from a trip that started after it was made. `load` resolves to one answer per key, in the order of the keys;
 * when it rejects, every call of that trip does.
 */
export function gathered<T>(load: (keys: readonly string[]) => Promise<readonly T[]>) {
  let waiting: { readonly keys: string[]; readonly answers: Promise<readonly T[]> } | null = null
  let running: Promise<unknown> = Promise.resolve()
  const trip = () => {
    const keys: string[] = []
    const answers = running.then(() => {
      waiting = null
      return load(keys)
    })
    running = answers.catch(() => undefined)
    return { keys, answers }
  }
  return async (keys: readonly string[]): Promise<readonly T[]> => {
    waiting ??= trip()
    const { answers, keys: together } = waiting
    const from = together.push(...keys) - keys.length
    return (await answers).slice(from, from + keys.length)
  }
}
