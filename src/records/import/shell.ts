import { isUtf8 } from 'node:buffer'

/** A word ends here unless it is quoted. */
const ENDS_COMMAND = new Set(['\n', ';', '|', '&'])
const BETWEEN = new Set([' ', '\t', '\r'])

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r']
])
/** A character by its number, behind the backslash. */
const CODE = /^u[0-9a-f]{1,4}/i
/** Bytes by their numbers, one behind another. */
const BYTES = /(?:\\(?:x[0-9a-f]{1,2}|[0-7]{1,3}))+/iy

/**
 * The words of each command in a text, as a POSIX shell would split them: quotes of all three kinds, continued lines, comments.
 * Nothing is expanded or run. Not by shell-quote: that knows no `$'…'`, which browsers write.
 */
export function commandsIn(text: string): readonly (readonly string[])[] {
  const commands: string[][] = []
  let words: string[] = []
  let word: string | null = null
  const endWord = () => {
    if (word !== null) words.push(word)
    word = null
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push(words)
    words = []
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\\') {
      const next = text.startsWith('\\\r\n', at) ? '\r\n' : (text[at + 1] ?? '')
      at += next.length
      if (!next.endsWith('\n')) word = (word ?? '') + next
    } else if (char === "'" || char === '"' || text.startsWith("$'", at)) {
      const quoted = quotedAt(text, at)
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (char === '#' && word === null) {
      const end = text.indexOf('\n', at)
      at = (end < 0 ? text.length : end) - 1
    } else if (ENDS_COMMAND.has(char)) endCommand()
    else if (BETWEEN.has(char)) endWord()
    else word = (word ?? '') + char
  }
  endCommand()
  return commands
}

/** The text in quotes that begin here, and where they end. */
function quotedAt(text: string, start: number): { readonly text: string; readonly end: number } {
  const isAnsi = text[start] === '$'
  const quote = isAnsi ? "'" : (text[start] ?? '')
  const isLiteral = quote === "'" && !isAnsi
  const parts: string[] = []
  let at = start + (isAnsi ? 2 : 1)
  for (; at < text.length && text[at] !== quote; at++) {
    const char = text[at] ?? ''
    if (char !== '\\' || isLiteral) {
      parts.push(char)
      continue
    }
    const next = text[at + 1] ?? ''
    const bytes = isAnsi ? bytesAt(text, at) : null
    if (bytes) {
      parts.push(bytes.text)
      at = bytes.end
      continue
    }
    const code = isAnsi ? CODE.exec(text.slice(at + 1, at + 6))?.[0] : undefined
    if (code !== undefined) {
      parts.push(String.fromCharCode(Number.parseInt(code.slice(1), 16)))
      at += code.length
    } else {
      if (isAnsi) parts.push(ESCAPES.get(next) ?? next)
      else if ('"\\$`'.includes(next)) parts.push(next)
      else if (next !== '\n') parts.push(char, next)
      at++
    }
  }
  return { text: parts.join(''), end: at }
}

/** The text that bytes by their numbers encode, and where they end. Browsers mean characters by those that are no UTF-8. */
function bytesAt(text: string, start: number): { readonly text: string; readonly end: number } | null {
  BYTES.lastIndex = start
  const [written] = BYTES.exec(text) ?? []
  if (written === undefined) return null
  const numbers = written.split('\\').slice(1)
  const bytes = Buffer.from(numbers.map((one) => (/^x/i.test(one) ? Number(`0${one}`) : Number.parseInt(one, 8))))
  return { text: bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1'), end: start + written.length - 1 }
}
