/** Scripts in which characters that cannot be seen join letters, or keep them apart: they are part of how a word is written. */
const JOINING = ['Arab', 'Syrc', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
/** Where such a character is part of a word, or of an emoji that is made of several. */
const JOINED = `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`
const JOINED_EMOJI = '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})'
/** What changes the direction of the text behind it, or cannot be seen: a text may read as another one by it. */
const HIDDEN = '[\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff]'
const LOOKED_FOR = new RegExp(`(${JOINED}|${JOINED_EMOJI})|${HIDDEN}`, 'gu')

/** A text with marks (`[U+202E]`) in place of what changes its direction or cannot be seen, but for what joins letters. */
export function withMarks(text: string): string {
  return text.replace(
    LOOKED_FOR,
    (character, joins?: string) => joins ?? `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`
  )
}
