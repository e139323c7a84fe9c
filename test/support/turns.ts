/** Does the work, and measures the longest turn of the event loop meanwhile: how long anybody else would have had to wait. */
export async function longestTurn<T>(
  work: () => Promise<T>
): Promise<{ readonly value: T; readonly longest_ms: number }> {
  let longest_ms = 0
  let last = performance.now()
  let isOver = false
  const look = () => {
    const now = performance.now()
    longest_ms = Math.max(longest_ms, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  try {
    const value = await work()
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { value, longest_ms }
  } finally {
    isOver = true
  }
}
