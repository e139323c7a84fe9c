const SORTED_MAX = 160

/**
 * A key by which names sort the same on every database, compared by code point: without regard to case first,
 * then by the name itself. Only the first 160 characters of each count.
 */
export function sortKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase()
  return `${head(folded)}\u0001${head(name)}`
}

/** The name in a sort key, as far as it is there, and the same without regard to case. */
export function namesIn(key: string): { readonly name: string; readonly folded: string } {
  const parts = key.split('\u0001')
  // What the name has of these itself is in both halves.
  const half = parts.length / 2
  return { folded: parts.slice(0, half).join('\u0001'), name: parts.slice(half).join('\u0001') }
}

function head(text: string): string {
  return text.length <= SORTED_MAX
    ? text
    : [...text.slice(0, SORTED_MAX * 2)].slice(0, SORTED_MAX).join('').toWellFormed()
}

const NAME_KEY_MAX = 500

// Nobody sees them: control and format characters, everything that Unicode says to leave out where it is not known, and the
// blank of the Braille patterns.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu

/**
 * What makes two names of accounts the same to whoever reads them: the compatibility form (NFKC) without invisible
 * characters and without case, trimmed, and only as much of it as an index holds. Empty where nothing is to be seen.
 */
export function nameKey(name: string): string {
  // Upper case first: it is where letters meet that have several lower ones, as in Greek and German.
  const folded = visible(visible(name).toUpperCase().toLowerCase()).trim()
  return folded.length <= NAME_KEY_MAX ? folded : [...folded].slice(0, NAME_KEY_MAX).join('')
}

/** What external ids of directories are looked up by: several may share one, and any text has one that an index holds. */
export function externalKey(id: string): string {
  return nameKey(id).toWellFormed()
}

function visible(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '')
}
