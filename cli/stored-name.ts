import { z } from 'zod'
import type { Row } from '../src/storage/storage.js'

const named = z.object({ name: z.string() })

/** The name in a row's stored record. */
export function storedName({ body }: Row): string {
  return named.parse(JSON.parse(body)).name
}
