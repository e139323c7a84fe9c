import { LABELS } from '../../model/forms.js'
import type { Place } from '../../model/merge.js'

/** What a place of a record is called: `URL`, or `Headers “Accept”` for a row. */
export const called = ({ field, key }: Place): string =>
  key === undefined ? LABELS[field] : `${LABELS[field]} “${key}”`

/** Several things in a sentence. */
export const listed = (words: readonly string[]): string => new Intl.ListFormat('en').format(words)

/** Who did something, at the beginning of a sentence. */
export function people(who: readonly string[]): string {
  const text = who.length === 0 ? 'somebody' : listed(who)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
