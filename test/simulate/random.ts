/** Numbers that follow from a seed alone. */
export interface Random {
  /** From 0 up to but not 1. */
  readonly next: () => number
  /** A whole number from 0 up to but not `below`. */
  readonly below: (below: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <const T>(from: readonly [T, ...T[]]) => T
}

/** The generator sfc32, begun with a seed. */
export function randomOf(seed: number): Random {
  let [a, b, c, counter] = [0, seed | 0, Math.floor(seed / 2 ** 32) | 0, 1]
  const word = (): number => {
    const sum = (a + b + counter++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  // What a small seed leaves alike at first.
  for (let i = 0; i < 12; i++) word()
  const next = () => word() / 2 ** 32
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)] ?? from[0]
  }
}
