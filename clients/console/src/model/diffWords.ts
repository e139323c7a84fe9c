import { type Change, diffWordsWithSpace } from 'diff'

/** A piece of a line: text, or how many characters are left out. */
export type Piece = { readonly text: string; readonly isChanged: boolean } | { readonly skipped: number }

/** A line of a text, which counts its lines from 1. */
export interface DiffLine {
  readonly number: number
  readonly pieces: readonly Piece[]
}

interface Line {
  readonly text: string
  readonly number: number
}

/** Longer lines are compared by their ends alone: what is between the first and the last difference counts as changed. */
const WORDS_LENGTH = 2000
const WORDS_MS = 25
const EDITS_MOST = 300
/** With less than this in common, marks on words would only be noise. */
const LEAST_COMMON = 0.35
/** So much of a long piece is shown: of one that is the same around what is not. */
const SAME_LENGTH = 160
const CHANGED_LENGTH = 4000

/** A line that is one piece. */
export const wholeLine = (text: string, number: number): DiffLine => ({
  number,
  pieces: cut([{ text, isChanged: false }])
})

/** Two lines, one of which took the place of the other, with what differs marked. */
export function linePair(removed: Line, added: Line, left_ms: number) {
  const isShort = removed.text.length <= WORDS_LENGTH && added.text.length <= WORDS_LENGTH
  const pieces =
    (isShort && left_ms > 0 && byWords(removed.text, added.text, left_ms)) || byEnds(removed.text, added.text)
  return {
    removed: { number: removed.number, pieces: cut(pieces.removed) },
    added: { number: added.number, pieces: cut(pieces.added) }
  }
}

interface Pieces {
  readonly removed: readonly Whole[]
  readonly added: readonly Whole[]
}
type Whole = Extract<Piece, { readonly text: string }>

function byWords(before: string, after: string, left_ms: number): Pieces | null {
  const changes = diffWordsWithSpace(before, after, { timeout: Math.min(WORDS_MS, left_ms), maxEditLength: EDITS_MOST })
  if (!changes) return null
  const common = changes.reduce((sum, { value, added, removed }) => sum + (added || removed ? 0 : value.length), 0)
  if (common < LEAST_COMMON * Math.min(before.length, after.length))
    return { removed: whole(before), added: whole(after) }
  const side = (isOther: (change: Change) => boolean) =>
    changes.flatMap((change) =>
      isOther(change) ? [] : [{ text: change.value, isChanged: change.added || change.removed }]
    )
  return { removed: side(({ added }) => added), added: side(({ removed }) => removed) }
}

function byEnds(before: string, after: string): Pieces {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  if (head + tail < LEAST_COMMON * most) return { removed: whole(before), added: whole(after) }
  const side = (text: string) =>
    [
      { text: text.slice(0, head), isChanged: false },
      { text: text.slice(head, text.length - tail), isChanged: true },
      { text: text.slice(text.length - tail), isChanged: false }
    ].filter((piece) => piece.text !== '')
  return { removed: side(before), added: side(after) }
}

const whole = (text: string): readonly Whole[] => [{ text, isChanged: false }]

/** The pieces with the middle left out of those that are too long to be shown. */
function cut(pieces: readonly Whole[]): readonly Piece[] {
  const isWhole = pieces.length < 2
  return pieces.flatMap((piece, index): readonly Piece[] => {
    const { text, isChanged } = piece
    const most = isChanged || isWhole ? CHANGED_LENGTH : 2 * SAME_LENGTH
    if (text.length <= most) return [piece]
    // Before a change its end is what matters, behind one its beginning.
    const half = Math.floor(most / 2)
    const [head, tail] =
      isWhole || isChanged ? [half, half] : index === 0 ? [0, half] : [half, index === pieces.length - 1 ? 0 : half]
    return [
      ...(head > 0 ? [{ text: text.slice(0, head), isChanged }] : []),
      { skipped: text.length - head - tail },
      ...(tail > 0 ? [{ text: text.slice(-tail), isChanged }] : [])
    ]
  })
}
