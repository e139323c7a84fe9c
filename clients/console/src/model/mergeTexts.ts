import { diffArrays } from 'diff'

/** Texts that differ in more lines than this, or that take longer to compare, are not merged line by line. */
const EDITS_MOST = 2000
const LINES_MS = 200

const OPENING = '<<<<<<< mine'
const MIDDLE = '======='
const CLOSING = '>>>>>>> theirs'

/** So many lines of the base are replaced by these. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/** Whether a text still has places in it that have to be decided. */
export const isMarked = (text: string): boolean => text.split('\n').some((line) => line === OPENING || line === CLOSING)

/**
 * Merges what two sides made of a text, line by line, and tells whether there are places that both have changed: those are between
 * marks. Null where they have gone too far from it for that.
 */
export function mergeTexts(base: string, mine: string, theirs: string) {
  const was = base.split('\n')
  const [here, there] = [hunksOf(was, mine.split('\n')), hunksOf(was, theirs.split('\n'))]
  if (!here || !there) return null
  // A list of stretches: texts have more lines than a call takes arguments.
  const out: (readonly string[])[] = []
  let [at, i, j, isMarked] = [0, 0, 0, false]
  while (i < here.length || j < there.length) {
    const from = Math.min(here[i]?.from ?? was.length, there[j]?.from ?? was.length)
    out.push(was.slice(at, from))
    // Changes that overlap or touch, of whichever side, are one place.
    let to = from
    const [firstHere, firstThere] = [i, j]
    for (let grew = true; grew; ) {
      grew = false
      for (let hunk = here[i]; hunk && hunk.from <= to; hunk = here[++i]) [to, grew] = [Math.max(to, hunk.to), true]
      for (let hunk = there[j]; hunk && hunk.from <= to; hunk = there[++j]) [to, grew] = [Math.max(to, hunk.to), true]
    }
    const [a, b] = [
      applied(was, here.slice(firstHere, i), from, to),
      applied(was, there.slice(firstThere, j), from, to)
    ]
    if (firstHere === i || a.join('\n') === b.join('\n')) out.push(b)
    else if (firstThere === j) out.push(a)
    else {
      out.push([OPENING], a, [MIDDLE], b, [CLOSING])
      isMarked = true
    }
    at = to
  }
  out.push(was.slice(at))
  return { text: out.flat().join('\n'), isMarked }
}

/** The lines of the base from one to another, with these changes made. */
function applied(was: readonly string[], hunks: readonly Hunk[], from: number, to: number): readonly string[] {
  const parts: (readonly string[])[] = []
  let at = from
  for (const hunk of hunks) {
    parts.push(was.slice(at, hunk.from), hunk.lines)
    at = hunk.to
  }
  parts.push(was.slice(at, to))
  return parts.flat()
}

function hunksOf(was: readonly string[], now: readonly string[]): readonly Hunk[] | null {
  const changes = diffArrays([...was], [...now], { timeout: LINES_MS, maxEditLength: EDITS_MOST })
  if (!changes) return null
  const hunks: Hunk[] = []
  let at = 0
  let open: { from: number; to: number; lines: readonly string[] } | null = null
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      open = null
      at += value.length
      continue
    }
    if (!open) {
      open = { from: at, to: at, lines: [] }
      hunks.push(open)
    }
    if (added) open.lines = open.lines.concat(value)
    else {
      at += value.length
      open.to = at
    }
  }
  return hunks
}
