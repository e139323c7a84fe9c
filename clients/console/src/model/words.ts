const and = new Intl.ListFormat('en')

/** Several things in a sentence. */
export const listed = (words: readonly string[]): string => and.format(words)

/** A text as it stands at the beginning of a line. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
