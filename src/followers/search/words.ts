/** A term has so many characters at most, of which one beyond ASCII counts as five. */
export const TERM_MAX = 80

/** A word of a text as it is compared: without case, accents and compatibility forms. It stands at `from` up to `to`, in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly from: number
  readonly to: number
  /** True for a whole whose parts are words too, as `getUser`. */
  readonly isWhole: boolean
}

// Scripts that put no spaces between words: each character counts as one.
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]'
const RUNS = new RegExp(`${UNSPACED}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]+`, 'gv')
// What the same expression finds in a text of ASCII, several times as fast.
const ASCII_RUNS = /[A-Za-z0-9]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII = /^[\x00-\x7f]*$/
const NOT_IN_WORDS = /[^\p{L}\p{N}]/gu
// Where a part of an identifier begins: a capital behind what is none, and the last of several capitals before what is none.
const PARTS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu
const HAS_CAPITAL_INSIDE = /.\p{Lu}/u
/** So many characters of one run are looked at, for its parts and for the word that it is: to normalize marks takes the square of their number. */
const RUN_MAX = 200
/** What a character beyond ASCII counts in a term, see `TERM_MAX`. */
const WIDE = 5

/** The words of a text in their order. Punctuation parts them, and so do capitals in an identifier, which is a word as a whole too. */
export function* wordsIn(text: string): Generator<Word, void> {
  for (const { 0: run, index } of text.matchAll(ASCII.test(text) ? ASCII_RUNS : RUNS)) {
    const whole = wordAt(run, index, false)
    const parts = run.length <= RUN_MAX && HAS_CAPITAL_INSIDE.test(run) ? run.split(PARTS) : []
    if (parts.length < 2) {
      if (whole) yield whole
      continue
    }
    if (whole) yield { ...whole, isWhole: true }
    let from = index
    for (const part of parts) {
      const word = wordAt(part, from, false)
      if (word) yield word
      from += part.length
    }
  }
}

/**
 * The words of a text that follow each other with so many characters between them at most, two and two with `_` between. An
 * identifier does so as a whole and by its parts.
 */
export function* pairsOf(words: Iterable<Word>, gap: number): Generator<string, void> {
  let previous: readonly Word[] = []
  let whole: Word | null = null
  for (const word of words) {
    for (const { text, to } of previous) if (word.from - to <= gap) yield `${text}_${word.text}`
    if (word.isWhole) {
      whole = word
      continue
    }
    const isEnd: boolean = whole?.to === word.to
    previous = whole && isEnd ? [word, whole] : [word]
    if (isEnd) whole = null
  }
}

function wordAt(run: string, from: number, isWhole: boolean): Word | null {
  const text = bounded(folded(run.slice(0, RUN_MAX)))
  return text === '' ? null : { text, from, to: from + run.length, isWhole }
}

function folded(run: string): string {
  if (ASCII.test(run)) return run.toLowerCase()
  // Upper case first: it is where letters meet that have several lower ones, as in Greek and German.
  const lower = run.normalize('NFKD').toUpperCase().normalize('NFKD').toLowerCase()
  return lower.replace(NOT_IN_WORDS, '').replaceAll('ς', 'σ')
}

/** As much of a text as a term holds beside the letter of its field. */
export function bounded(text: string): string {
  if (text.length * WIDE < TERM_MAX) return text
  let room = TERM_MAX - 1
  let end = 0
  for (const character of text) {
    room -= character < '\u0080' ? 1 : WIDE
    if (room < 0) break
    end += character.length
  }
  return text.slice(0, end)
}
