const LENGTH_MAX = 500

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
  return folded.length <= LENGTH_MAX ? folded : [...folded].slice(0, LENGTH_MAX).join('')
}

function visible(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '')
}
