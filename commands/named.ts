import { z } from 'zod'
import type { Row } from '../src/storage/storage.js'

const named = z.object({ name: z.string() })

/** The name of a record, out of its row's body. */
export function nameOf({ body }: Pick<Row, 'body'>): string {
  return named.parse(JSON.parse(body)).name
}
