import type { Writable } from 'node:stream'

const WIDTH = 24
const COLUMNS = 80
const REDRAW_MS = 100

/** Where it is shown. */
export type ProgressOut = Writable & { readonly isTTY?: boolean; readonly columns?: number }

export interface ProgressLine {
  /** Tells how far it is. */
  readonly at: (position: number) => void
  /** Takes the line away. */
  readonly done: () => void
}

/**
 * One line that shows how far a long run over the log is: share, events per second and time left. Only on a terminal; a
 * pipe or a file gets nothing. What is wider than the terminal is cut off: a line that goes on in the next one is not
 * taken away by the next. `total` is null where the end is not known. By hand: cli-progress knows no rate and no unknown
 * end, and its timer keeps the process from ending where the work has thrown.
 */
export function progressLine(out: ProgressOut, label: string, total: number | null): ProgressLine {
  if (!out.isTTY) return { at: () => {}, done: () => {} }
  const started = performance.now()
  let from: number | null = null
  let drawn = Number.NEGATIVE_INFINITY
  return {
    at(position) {
      const now = performance.now()
      from ??= position
      if (now - drawn < REDRAW_MS) return
      drawn = now
      const rate = ((position - from) / Math.max(1, now - started)) * 1000
      const line = `${label} ${bar(position, total)} ${Math.round(rate)} events/s${left(position, total, rate)}`
      out.write(`\r\u001b[K${line.slice(0, (out.columns ?? COLUMNS) - 1)}`)
    },
    done: () => void out.write('\r\u001b[K')
  }
}

function bar(position: number, total: number | null): string {
  if (total === null || total === 0) return String(position)
  const share = Math.min(1, position / total)
  const filled = Math.round(share * WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)}%`
}

function left(position: number, total: number | null, rate: number): string {
  if (total === null || rate === 0) return ''
  return `, ${Math.ceil((total - position) / rate)} s left`
}
