import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Row } from '../../storage/storage.js'

const body = z.looseObject({ name: z.string(), marker: z.string().nullable() })

/** What the body of a record's row holds. */
export const bodyFields = (row: Pick<Row, 'body'>) => body.parse(JSON.parse(row.body))

/** The fields of a content that are not in a row as they are there. */
export function changedFields(content: object, row: Pick<Row, 'body'>): readonly string[] {
  const now: Readonly<Record<string, unknown>> = bodyFields(row)
  return Object.entries(content)
    .filter(([key, value]) => !isDeepStrictEqual(value, now[key]))
    .map(([key]) => key)
}
