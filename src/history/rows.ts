import { z } from 'zod'
import { standingOf } from '../../commands/kind.js'
import { isRecord, kinds } from '../../commands/kinds.js'
import type { Row } from '../storage/storage.js'

/** Where a row of such a kind stood in its collection; null for a kind that stands in none. */
export function placed(kind: string, row: Row) {
  return isRecord(kind) && kinds[kind].isMember ? standingOf(row) : null
}

const attributionColumns = z.object({ createdBy: z.string().nullable(), updatedBy: z.string().nullable() })

/** The accounts that a row names, each once. */
export function attributed(row: Row): readonly string[] {
  const { createdBy, updatedBy } = attributionColumns.parse(row)
  return [...new Set([createdBy, updatedBy])].filter((id) => id !== null)
}
