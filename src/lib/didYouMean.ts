/** What is longer was not meant as any name here. */
const LENGTH_MAX = 80

/**
 * The one of `names` that was probably meant by `given`: the one with the fewest letters missing, added, wrong or exchanged
 * with their neighbour, as long as these are at most a third of them. Case and separators do not count. Undefined where none
 * is that near.
 */
export function closestName(given: string, names: Iterable<string>): string | undefined {
  if (given.length > LENGTH_MAX) return undefined
  const wanted = plain(given)
  const most = Math.max(1, Math.floor(wanted.length / 3))
  const near = [...names]
    .map((name) => ({ name, away: distance(wanted, plain(name)) }))
    .filter(({ away }) => away <= most)
  return near.toSorted((a, b) => a.away - b.away)[0]?.name
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_.-]/g, '')
}

/** How many such mistakes lead from one text to the other. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const ways = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1)]
      row.push(Math.min(...ways, ...(exchanged ? [at(beforeLast, j - 2) + 1] : [])))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], j: number): number {
  return row[j] ?? Number.POSITIVE_INFINITY
}
