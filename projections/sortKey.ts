const LENGTH_MAX = 160

/**
 * A key by which names sort the same on every database, compared by code point: without regard to case first,
 * then by the name itself. Only the first 160 characters of each count.
 */
export function sortKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase()
  return `${head(folded)}\u0001${head(name)}`
}

function head(text: string): string {
  return text.length <= LENGTH_MAX
    ? text
    : [...text.slice(0, LENGTH_MAX * 2)].slice(0, LENGTH_MAX).join('').toWellFormed()
}
