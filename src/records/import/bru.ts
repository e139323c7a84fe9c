/** A line of a block of keys and values. */
export interface BruRow {
  readonly name: string
  readonly value: string
  readonly enabled: boolean
}

/** The blocks of a file of the Bruno markup language, each as its text; `rowsIn` reads those of keys and values. */
export type BruBlocks = ReadonlyMap<string, readonly string[]>

const OPENS = /^([a-z][\w:-]*)\s*([{[])\s*$/i

/**
 * Takes a `.bru` file apart: a block begins with its name and a bracket, and ends with the closing one at the beginning of a line.
 * Not by @usebruno/lang, which takes 20 seconds for one megabyte. A block without an end is left out, and `cutOff` is told.
 */
export function bruBlocks(text: string, cutOff: () => void): BruBlocks {
  const blocks = new Map<string, string[]>()
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const [, name, bracket] = OPENS.exec(lines[at] ?? '') ?? []
    if (name === undefined) continue
    const end = lines.indexOf(bracket === '[' ? ']' : '}', at + 1)
    if (end < 0) {
      cutOff()
      break
    }
    const block = blocks.get(name) ?? []
    for (const line of lines.slice(at + 1, end)) block.push(line)
    blocks.set(name, block)
    at = end
  }
  return blocks
}

/** What is said of a file with a block that has no end. */
export const CUT_OFF = 'A file that is cut off is carried over as far as it goes.'

/** The text in a block, without the indentation that it has there; empty where there is no such block. */
export function bruText(blocks: BruBlocks, name: string): string {
  return (blocks.get(name) ?? []).map((line) => line.replace(/^ {1,2}/, '')).join('\n')
}

const ROW = /^(~?)(@?)(?:"((?:[^"\\]|\\.)*)"|([^:]*)):\s?(.*)$/s
const LONG = "'''"
/** What is said of the row below it: a description, a type. */
const ANNOTATION = /^@[a-z]+(\(.*\))?$/i

const ends = (line: string, close: string): boolean =>
  close === LONG ? line.trim().startsWith(LONG) : line.trim() === close

/** The keys and values of a block: `~` disables a row, `'''` holds lines, and a list in brackets is one text. */
export function bruRows(blocks: BruBlocks, name: string): readonly BruRow[] {
  const lines = blocks.get(name) ?? []
  const rows: BruRow[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim()
    if (ANNOTATION.test(line)) continue
    const [, off, , quoted, plain = '', start = ''] = ROW.exec(line) ?? []
    const key = quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim()
    if (start === '' && key === '') continue
    let value = start.trim()
    if (value === LONG || value === '[') {
      const close = value === '[' ? ']' : LONG
      const inside: string[] = []
      while (++at < lines.length && !ends(lines[at] ?? '', close)) inside.push((lines[at] ?? '').replace(/^ {1,4}/, ''))
      const [type = ''] = /@contentType\([^()]*\)\s*$/.exec(lines[at] ?? '') ?? []
      value = `${inside.join('\n')}${type.trimEnd()}`
    }
    rows.push({ name: key, value, enabled: off !== '~' })
  }
  return rows
}

/** The rows of a block as an object; of a key that comes twice the last. */
export function bruObject(blocks: BruBlocks, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(bruRows(blocks, name).map(({ name, value }) => [name, value]))
}
