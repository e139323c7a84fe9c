import type { Value } from '../storage.js'
import { encode, type Fields, type FirestoreValue, fieldsSize, isObject, type RawFields, textOf } from './values.js'

/** A time of the server's own clock. */
export interface ServerTime {
  readonly seconds: string
  readonly nanos: number
}

export const NEVER: ServerTime = { seconds: '0', nanos: 0 }

/** A document as it is stored. */
export interface Document {
  readonly name: string
  readonly fields: RawFields
  readonly updateTime: ServerTime
}

/** What an answer consists of, and the moment at which all of it was true. */
export interface QueryResult {
  readonly documents: readonly Document[]
  readonly readTime: ServerTime
  /** True where there was more, and no more was wanted. */
  readonly isCut?: boolean
}

/** A document in an answer; null where there is none in it. */
export function documentOf(value: unknown): Document | null {
  if (!isObject(value) || typeof value.name !== 'string') return null
  return {
    name: value.name,
    fields: isObject(value.fields) ? value.fields : {},
    updateTime: timeOf(value.updateTime) ?? NEVER
  }
}

/** How many bytes the texts of a document have that stand in it alone. */
export function textBytes({ fields }: Document): number {
  return Object.values(fields).reduce<number>((sum, field) => sum + Buffer.byteLength(textOf(field) ?? ''), 0)
}

/** A time in an answer; null where there is none. */
export function timeOf(value: unknown): ServerTime | null {
  if (!isObject(value)) return null
  return { seconds: String(value.seconds ?? 0), nanos: Number(value.nanos ?? 0) }
}

export function isSameTime(a: ServerTime, b: ServerTime): boolean {
  return a.seconds === b.seconds && a.nanos === b.nanos
}

/** How much later `b` is than `a`. */
export function between_ms(a: ServerTime, b: ServerTime): number {
  return (Number(b.seconds) - Number(a.seconds)) * 1000 + (b.nanos - a.nanos) / 1e6
}

const NAME = '__name__'

/** A condition on a field. */
export type Filter =
  | { readonly field: string; readonly equals: Value }
  | { readonly field: string; readonly isIn: readonly Value[] }
  /** A list that holds the value. */
  | { readonly field: string; readonly contains: Value }
  | { readonly field: string; readonly above: number }
  | { readonly field: string; readonly below: number }
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
  /** Where the answer begins: behind these values of the fields of `order` and then the full name. */
  readonly behind?: readonly Value[] | undefined
  readonly limit?: number | undefined
  /** The fields that the answer has, all without it; with an empty list the names alone. */
  readonly fields?: readonly string[] | undefined
}

const fieldOf = (fieldPath: string) => ({ fieldPath })

/** The question as Firestore's interface takes it. */
export function queryToProto(query: Query) {
  const { collection, where = [], order = [], reverse, from, to, before, behind, limit, fields } = query
  const direction = reverse ? 'DESCENDING' : 'ASCENDING'
  return {
    from: [{ collectionId: collection }],
    ...(where.length > 0 && { where: { compositeFilter: { op: 'AND' as const, filters: where.map(filterOf) } } }),
    orderBy: [...order, NAME].map((field) => ({ field: fieldOf(field), direction }) as const),
    ...(from && { startAt: { values: [{ referenceValue: from.name }], before: from.inclusive } }),
    ...(to !== undefined && { endAt: { values: [{ referenceValue: to }], before: false } }),
    ...(before && { endAt: { values: before.map((value, i) => endOf(value, i < order.length)), before: true } }),
    ...(behind && { startAt: { values: behind.map((value, i) => endOf(value, i < order.length)), before: false } }),
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
  if ('below' in filter) return fieldFilter(field, 'LESS_THAN', encode(filter.below))
  if ('contains' in filter) return fieldFilter(field, 'ARRAY_CONTAINS', encode(filter.contains))
  if ('through' in filter) return fieldFilter(field, 'LESS_THAN_OR_EQUAL', encode(filter.through))
  if ('equals' in filter) return fieldFilter(field, 'EQUAL', encode(filter.equals))
  return fieldFilter(field, 'IN', { arrayValue: { values: filter.isIn.map(encode) } })
}

type Operator = 'GREATER_THAN' | 'LESS_THAN' | 'LESS_THAN_OR_EQUAL' | 'ARRAY_CONTAINS' | 'EQUAL' | 'IN'

function fieldFilter(field: { fieldPath: string }, op: Operator, value: FirestoreValue) {
  return { fieldFilter: { field, op, value } }
}

type Condition = { readonly exists: boolean } | { readonly updateTime: ServerTime }

/** One change of one document. With `mask` only those fields change; they are gone where `fields` does not have them. */
export type Write =
  | { readonly set: string; readonly fields: Fields; readonly mask?: string[]; readonly only?: Condition }
  | { readonly remove: string; readonly only?: Condition }

/** A write as Firestore's interface takes it. */
export function writeToProto(write: Write) {
  const condition = write.only && { currentDocument: write.only }
  if ('remove' in write) return { delete: write.remove, ...condition }
  const { set: name, fields, mask } = write
  return { update: { name, fields }, ...(mask && { updateMask: { fieldPaths: mask } }), ...condition }
}

/** About how many bytes a request to commit these has; rather more than fewer. */
export function requestSize(writes: readonly Write[]): number {
  return writes.reduce((sum, write) => sum + writeSize(write), 256)
}

function writeSize(write: Write): number {
  if ('remove' in write) return Buffer.byteLength(write.remove) + 64
  const mask = (write.mask ?? []).reduce((sum, field) => sum + field.length + 8, 0)
  return Buffer.byteLength(write.set) + fieldsSize(write.fields) + mask + 64
}
