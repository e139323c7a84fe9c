import type { Changes, FieldChange } from '../history/changes.js'

/** The changes with at most `max` items of every list in them, and as many changes; what is left out is counted. */
export function shortened({ changes, more }: Changes, max: number): Changes {
  let left = more + Math.max(0, changes.length - max)
  const side = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      left += Math.max(0, value.length - max)
      return value.slice(0, max).map(side)
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, side(one)]))
  }
  const shown = changes.slice(0, max).map((change): FieldChange => {
    return {
      path: change.path,
      ...('from' in change && { from: side(change.from) }),
      ...('to' in change && { to: side(change.to) })
    }
  })
  return { changes: shown, more: left }
}
