import { z } from 'zod'
import type { Row } from '../src/storage/storage.js'
import type { JsonText } from './record.js'

const named = z.object({ name: z.string() })

/** A record as administrators manage it: `{id, name, deletionLocked}`. */
export function managed({ id, body, deletionLocked }: Row & { readonly deletionLocked: boolean }): JsonText {
  return JSON.stringify({ id, name: named.parse(JSON.parse(body)).name, deletionLocked })
}
