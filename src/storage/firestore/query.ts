import type { Value } from '../storage.js'
import { encode, type FirestoreValue } from './values.js'

export const NAME = '__name__'

/** A condition on a field. */
export type Filter =
  | { readonly field: string; readonly equals: Value }
  | { readonly field: string; readonly isIn: readonly Value[] }
  | { readonly field: string; readonly above: number }
  | { readonly field: string; readonly through: number }

/** A question to one collection, whose answer is in order of the fields of `order` and then of the names. */
export interface Query {
  readonly collection: string
  readonly where?: readonly Filter[]
  readonly order?: readonly string[]
  readonly reverse?: boolean
  /** Where the names of the answer begin and end: full names. Only without `order`. */
  readonly from?: { readonly name: string; readonly inclusive: boolean } | undefined
  readonly to?: string
  /** Where the answer ends: before these values of the fields of `order` and then the full name, or of the first few of them. */
  readonly before?: readonly Value[] | undefined
  readonly limit?: number | undefined
  /** The fields that the answer has, all without it; with an empty list the names alone. */
  readonly fields?: readonly string[] | undefined
}

const fieldOf = (fieldPath: string) => ({ fieldPath })

/** The question in the words of Firestore's interface. */
export function structured({ collection, where = [], order = [], reverse, from, to, before, limit, fields }: Query) {
  const direction = reverse ? 'DESCENDING' : 'ASCENDING'
  return {
    from: [{ collectionId: collection }],
    ...(where.length > 0 && { where: { compositeFilter: { op: 'AND' as const, filters: where.map(filterOf) } } }),
    orderBy: [...order, NAME].map((field) => ({ field: fieldOf(field), direction }) as const),
    ...(from && { startAt: { values: [{ referenceValue: from.name }], before: from.inclusive } }),
    ...(to !== undefined && { endAt: { values: [{ referenceValue: to }], before: false } }),
    ...(before && { endAt: { values: before.map((value, i) => endOf(value, i < order.length)), before: true } }),
    ...(limit !== undefined && { limit: { value: limit } }),
    ...(fields && { select: { fields: (fields.length > 0 ? fields : [NAME]).map(fieldOf) } })
  }
}

function endOf(value: Value, isField: boolean) {
  return isField ? encode(value) : { referenceValue: String(value) }
}

function filterOf(filter: Filter) {
  const field = fieldOf(filter.field)
  if ('above' in filter) return fieldFilter(field, 'GREATER_THAN', encode(filter.above))
  if ('through' in filter) return fieldFilter(field, 'LESS_THAN_OR_EQUAL', encode(filter.through))
  if ('equals' in filter) return fieldFilter(field, 'EQUAL', encode(filter.equals))
  return fieldFilter(field, 'IN', { arrayValue: { values: filter.isIn.map(encode) } })
}

type Operator = 'GREATER_THAN' | 'LESS_THAN_OR_EQUAL' | 'EQUAL' | 'IN'

function fieldFilter(field: { fieldPath: string }, op: Operator, value: FirestoreValue) {
  return { fieldFilter: { field, op, value } }
}
