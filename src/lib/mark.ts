import { createHash } from 'node:crypto'

/** A short mark of values, which no others have by all odds: for cursors, which say with it of which list they are. */
export function markOf(...values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 8)
}
