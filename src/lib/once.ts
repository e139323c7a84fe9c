/** What is made when it is first asked for. Where that fails, whoever asks next has it tried again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    if (made) return made
    const making = make()
    made = making
    making.catch(() => {
      made = null
    })
    return making
  }
}
