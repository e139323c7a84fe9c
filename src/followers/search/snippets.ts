import { z } from 'zod'
import type { Frozen } from '../../lib/frozen.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS } from '../../limits.js'
import type { FieldText } from './fields.js'
import { isVariant } from './nearby.js'
import type { AskedWord } from './question.js'
import { type Word, wordsIn } from './words.js'

/** A place in a field of a record: `matches` are the words that were found, from where up to where in `text`, in UTF-16 units. */
export const snippet = z.object({
  field: z
    .string()
    .describe('The name of the field; `folder` or `collection` where it is the name of what holds the record.'),
  text: z.string().describe('Some of its text, around what was found.'),
  matches: z
    .array(z.tuple([z.number(), z.number()]))
    .describe('The words that were found: from where and up to where in `text`, in UTF-16 units.')
})
export type Snippet = Frozen<z.infer<typeof snippet>>

/** What stands before the first match at most. */
const BEFORE = 40

/** A word that is shown where it is; with `isNear` also where a letter of it differs. */
export interface ShownWord extends AskedWord {
  readonly isNear?: boolean
}

/** The first place of each field that has one of the words, of as many fields as are wanted. Others have their turn between fields. */
export async function snippetsOf(
  fields: Iterable<FieldText>,
  words: readonly ShownWord[],
  max: number
): Promise<readonly Snippet[]> {
  const snippets: Snippet[] = []
  for (const field of fields) {
    if (snippets.length === max) break
    const snippet = snippetIn(field, words)
    if (snippet) snippets.push(snippet)
    await giveWay()
  }
  return snippets
}

function snippetIn({ field, text }: FieldText, words: readonly ShownWord[]): Snippet | null {
  const isFound = (word: Word) => words.some((asked) => isShown(word.text, asked))
  const matches: [number, number][] = []
  let from = 0
  let end = 0
  for (const word of wordsIn(text)) {
    if (matches.length > 0 && word.to > end) break
    if (!isFound(word)) continue
    if (matches.length === 0) {
      from = startOf(text, word.from)
      end = from + LIMITS.searchSnippet.max
    }
    // A part of an identifier stands in the whole of it.
    if (word.from - from >= (matches.at(-1)?.[1] ?? 0)) matches.push([word.from - from, Math.min(word.to, end) - from])
  }
  if (matches.length === 0) return null
  // Half of a character is none.
  return { field, text: text.slice(from, end).toWellFormed(), matches }
}

function isShown(word: string, { text, isPrefix, isNear }: ShownWord): boolean {
  return (isPrefix ? word.startsWith(text) : word === text) || (isNear === true && isVariant(word, text, isPrefix))
}

function startOf(text: string, match: number): number {
  if (match <= BEFORE) return 0
  const space = text.slice(match - BEFORE, match).search(/\s/)
  return space < 0 ? match - BEFORE : match - BEFORE + space + 1
}
