/** What changes the direction of the text behind it, or cannot be seen: a text may read as another one by it. */
const HIDDEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** A text with marks in place of what changes its direction or cannot be seen: `[U+202E]`. */
export function withMarks(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`
  )
}
