import { diffArrays } from 'diff'
import { type DiffLine, linePair, wholeLine } from './diffWords.js'

/** A stretch of two texts: the same in both, from these lines on, or what took the place of what. */
export type Block =
  | { readonly is: 'same'; readonly at: Place; readonly lines: readonly string[] }
  | { readonly is: 'changed'; readonly removed: readonly DiffLine[]; readonly added: readonly DiffLine[] }

/** The number of a line in each of the texts. */
export interface Place {
  readonly from: number
  readonly to: number
}

/** What differs between two texts, line by line. */
export interface TextDiff {
  readonly blocks: readonly Block[]
  /** How many lines of each side are not compared, because there are too many. */
  readonly left: Place
}

/** So many lines of each side are compared: what is the same at both ends does not count. */
const LINES_MOST = 2000
/** So much of the text of each side. */
const LENGTH_MOST = 256 * 1024
/** Where more differs, or it takes longer, all of one side counts as replaced by all of the other: the page may not wait. */
const EDITS_MOST = 2000
const LINES_MS = 80
/** Words are looked for in so many milliseconds together. */
const WORDS_MS = 60

/** Compares two texts. A text of any length takes a moment at most: what is the same at both ends is left aside first. */
export function textDiff(from: string, to: string): TextDiff {
  const [before, after] = [linesOf(from), linesOf(to)]
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const old = bounded(before.slice(head, before.length - tail))
  const fresh = bounded(after.slice(head, after.length - tail))
  const left = { from: before.length - head - tail - old.length, to: after.length - head - tail - fresh.length }
  const place = { from: head + 1, to: head + 1 }
  const blocks = [...sameLines(after.slice(0, head), { from: 1, to: 1 }), ...blocksOf(old, fresh, place)]
  const isCut = left.from > 0 || left.to > 0
  const end = { from: before.length - tail + 1, to: after.length - tail + 1 }
  return { blocks: isCut ? blocks : [...blocks, ...sameLines(after.slice(after.length - tail), end)], left }
}

/** An empty text has no line at all. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))

/** As many of the lines as may be compared. */
function bounded(lines: readonly string[]): readonly string[] {
  let length = 0
  for (const [index, line] of lines.slice(0, LINES_MOST).entries()) {
    length += line.length
    if (index > 0 && length > LENGTH_MOST) return lines.slice(0, index)
  }
  return lines.slice(0, LINES_MOST)
}

function blocksOf(before: readonly string[], after: readonly string[], start: Place): readonly Block[] {
  if (before.length === 0 && after.length === 0) return []
  const changes = diffArrays([...before], [...after], { timeout: LINES_MS, maxEditLength: EDITS_MOST })
  const until_ms = performance.now() + WORDS_MS
  if (!changes) return [changed(before, after, start, until_ms)]
  const blocks: Block[] = []
  let { from, to } = start
  for (let index = 0; index < changes.length; index++) {
    const { value, added, removed } = changes[index] ?? {}
    if (!value) continue
    if (!added && !removed) {
      blocks.push(...sameLines(value, { from, to }))
      from += value.length
      to += value.length
      continue
    }
    // What is removed comes first, and what took its place right behind it.
    const next = removed && changes[index + 1]?.added ? changes[index + 1]?.value : undefined
    if (next) index++
    const [old, fresh] = removed ? [value, next ?? []] : [[], value]
    blocks.push(changed(old, fresh, { from, to }, until_ms))
    from += old.length
    to += fresh.length
  }
  return blocks
}

function sameLines(lines: readonly string[], at: Place): readonly Block[] {
  return lines.length === 0 ? [] : [{ is: 'same', at, lines }]
}

/** The first removed line is compared with the first added one, and so on. */
function changed(before: readonly string[], after: readonly string[], at: Place, until_ms: number): Block {
  const removed: DiffLine[] = []
  const added: DiffLine[] = []
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [old, fresh] = [before[index], after[index]]
    const [was, is] = [at.from + index, at.to + index]
    if (old !== undefined && fresh !== undefined) {
      const pair = linePair({ text: old, number: was }, { text: fresh, number: is }, until_ms - performance.now())
      removed.push(pair.removed)
      added.push(pair.added)
    } else if (old !== undefined) removed.push(wholeLine(old, was))
    else if (fresh !== undefined) added.push(wholeLine(fresh, is))
  }
  return { is: 'changed', removed, added }
}
