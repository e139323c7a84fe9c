import { type Edit, format, type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { STRICT, withoutReferences } from './json.js'

/** What came of a text that was to be tidied: the text as it reads best, or where it is no JSON, and why. */
type Tidied = { readonly text: string } | { readonly fault: string; readonly from: number; readonly to: number }

/**
 * Indents JSON and changes nothing else of it: numbers keep their digits, doubled names stay. References to variables may stand where
 * values do. Of what is no JSON the first place is told, as line and column.
 */
export function tidied(text: string): Tidied {
  const plain = withoutReferences(text)
  const errors: ParseError[] = []
  try {
    parse(plain, errors, STRICT)
  } catch (error) {
    if (error instanceof RangeError) return { fault: 'This is too deep to be looked into.', from: 0, to: 0 }
    throw error
  }
  const [first] = errors
  if (first) return { fault: faultOf(first, text), from: first.offset, to: first.offset + first.length }
  return { text: applied(text, format(plain, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' })) }
}

/** A text with edits made, which are given in its order: all at once, since a copy for each would take minutes of a long one. */
function applied(text: string, edits: readonly Edit[]): string {
  let done = 0
  const parts: string[] = []
  for (const { offset, length, content } of edits) {
    parts.push(text.slice(done, offset), content)
    done = offset + length
  }
  return parts.join('') + text.slice(done)
}

const WHAT: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no value',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'nothing more is expected',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'the text has no closing quote',
  InvalidCharacter: 'this character has to be escaped',
  InvalidEscapeCharacter: 'this is no escape'
}

function faultOf({ error, offset }: ParseError, text: string): string {
  const before = text.slice(0, offset).split('\n')
  const what = WHAT[printParseErrorCode(error)] ?? 'this is no JSON'
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}.`
}
