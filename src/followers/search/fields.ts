import { z } from 'zod'
import type { Weight } from '../../../commands/records/fields.js'
import { kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { LIMITS } from '../../limits.js'
import type { Row } from '../../storage/storage.js'

/** A text of a record in which words are found, no longer than `LIMITS.searchText`. */
export interface FieldText {
  readonly field: string
  readonly weight: Weight
  readonly text: string
}

/** In this order the texts are shown, and their words counted where they are too many. */
const WEIGHTS: readonly Weight[] = ['name', 'address', 'rest']

/** What search finds of each kind of record. What is not here, such as `auth`, is not found. */
const searched = new Map(
  Object.values(kinds).map(({ kind, fields }) => {
    const those = Object.entries(fields).flatMap(([field, { searched }]) => (searched ? [{ field, ...searched }] : []))
    return [kind, WEIGHTS.flatMap((weight) => those.filter((one) => one.weight === weight))] as const
  })
)

const bodies = z.record(z.string(), z.unknown())

/** The content of a record, as its row holds it. */
export function bodyOf({ body }: Pick<Row, 'body'>): Readonly<Record<string, unknown>> {
  return bodies.parse(JSON.parse(body))
}

/** The texts of a record in which words are found. */
export function* fieldTexts(kind: RestorableKind, body: Readonly<Record<string, unknown>>): Generator<FieldText, void> {
  for (const { field, weight, textOf } of searched.get(kind) ?? []) {
    yield { field, weight, text: textOf(body[field]).slice(0, LIMITS.searchText.max) }
  }
}
