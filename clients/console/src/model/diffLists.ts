import { diffArrays } from 'diff'

/** An item of a list as it is compared. */
export interface Item {
  /** The same for items that are equal, or that say to be the same thing. */
  readonly key: string
  /** Whether it says what thing it is: it is then compared with that one alone, unless it took its very place. */
  readonly isNamed: boolean
}

/** An item with the one that it is compared with: their places, one of which is undefined where there is no other. */
type Aligned =
  | { readonly was: number; readonly is: number }
  | { readonly was: number; readonly is?: undefined }
  | { readonly was?: undefined; readonly is: number }

/**
 * Which items of two lists belong together: the longest row of those with equal keys, and between them what took the place of what.
 * Where more than `most` came and went, item by item in their order.
 */
export function aligned(before: readonly Item[], after: readonly Item[], most: number): readonly Aligned[] {
  const keys = [before.map(({ key }) => key), after.map(({ key }) => key)] as const
  const runs = diffArrays([...keys[0]], [...keys[1]], { maxEditLength: most })
  if (!runs) return replaced(range(0, before.length), range(0, after.length))
  const found: Aligned[] = []
  let [was, is, gone]: [number, number, readonly number[]] = [0, 0, []]
  for (const { value, added, removed } of runs) {
    const count = value.length
    if (removed) {
      gone = range(was, count)
      was += count
      continue
    }
    found.push(...between(before, after, gone, added ? range(is, count) : []))
    gone = []
    if (!added) {
      found.push(...replaced(range(was, count), range(is, count)))
      was += count
    }
    is += count
  }
  return [...found, ...between(before, after, gone, [])]
}

/** Of what came and went at one place: as many took the place of each other, or those that do not say what they are. */
function between(
  before: readonly Item[],
  after: readonly Item[],
  gone: readonly number[],
  come: readonly number[]
): readonly Aligned[] {
  if (gone.length === come.length) return replaced(gone, come)
  const isNamed = (items: readonly Item[], at: number) => items[at]?.isNamed === true
  return [
    ...gone.filter((was) => isNamed(before, was)).map((was) => ({ was })),
    ...replaced(
      gone.filter((was) => !isNamed(before, was)),
      come.filter((is) => !isNamed(after, is))
    ),
    ...come.filter((is) => isNamed(after, is)).map((is) => ({ is }))
  ]
}

/** The first with the first, and so on. */
function replaced(gone: readonly number[], come: readonly number[]): readonly Aligned[] {
  const longer = gone.length > come.length ? gone : come
  return longer.flatMap((_, nth): readonly Aligned[] => {
    const [was, is] = [gone[nth], come[nth]]
    if (was === undefined) return is === undefined ? [] : [{ is }]
    return is === undefined ? [{ was }] : [{ was, is }]
  })
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, nth) => from + nth)
