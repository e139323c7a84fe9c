import { z } from 'zod'
import { hiddenIn } from '../../src/limits.js'

/** What a JSON Schema says, as far as values are looked at here. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** A value that is wrong at one place of a part of a request; undefined where something is missing. */
export interface Wrong {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Larger ones would not fit into a body. */
const TEXT_MOST = 300_000
const ITEMS_MOST = 10_000
/** Of each of these one at least is wrong, whatever the type is. */
const ANYTHING: readonly unknown[] = [null, 7.5, 'text']

/** What a schema of a route takes, with everything that it refers to in its place. */
export function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, {
    ...{ io: 'input', unrepresentable: 'any', reused: 'inline' },
    override: ({ zodSchema, jsonSchema }) => {
      const { entry, free } = hiddenIn(zodSchema)
      if (free === 'object') jsonSchema.type = 'object'
      if (entry) Object.assign(jsonSchema, { items: schemaOf(entry) })
    }
  }) as Schema
}

/** All that is wrong in a body by its schema: of another type, beyond a bound, none of those there are, or missing. */
export function* wrongIn(schema: Schema, path: readonly string[] = []): Generator<Wrong> {
  for (const { properties = {}, required = [], items } of [schema, ...(schema.anyOf ?? [])]) {
    for (const [key, inner] of Object.entries(properties)) {
      const at = [...path, key]
      if (required.includes(key)) yield { path: at, value: undefined }
      for (const value of candidates(inner)) if (!fits(inner, value)) yield { path: at, value }
      yield* wrongIn(inner, at)
    }
    if (!items) continue
    for (const value of candidates(items)) if (!fits(items, value)) yield { path: [...path, '0'], value }
    yield* wrongIn(items, [...path, '0'])
  }
}

/** All that is wrong in a query by its schema, as it stands in a URL. */
export function* wrongInQuery({ properties = {}, required = [] }: Schema): Generator<Wrong> {
  for (const [key, schema] of Object.entries(properties)) {
    if (required.includes(key)) yield { path: [key], value: undefined }
    const { type, minimum, maximum, minLength = 0, maxLength = TEXT_MOST, pattern } = schema
    const isNumber = type === 'integer'
    const values = isNumber
      ? ['x', '1.5', '-1', ...(minimum ? [`${minimum - 1}`] : []), ...(maximum === undefined ? [] : [`${maximum + 1}`])]
      : [...(minLength > 0 ? [''] : []), ...(maxLength < TEXT_MOST ? ['x'.repeat(maxLength + 1)] : [])]
    if (schema.enum || pattern !== undefined) values.push('no such thing')
    for (const value of values) yield { path: [key], value }
  }
}

/** The value with another one at a place; lists and objects that are not there are made. */
export function withWrong(value: unknown, { path: [key, ...path], value: wrong }: Wrong): unknown {
  if (key === undefined) return wrong
  const inner = (of: unknown) => withWrong(of, { path, value: wrong })
  if (key === '0') return [inner(Array.isArray(value) ? value[0] : undefined)]
  const record: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {}
  return { ...record, [key]: inner(record[key]) }
}

function candidates(schema: Schema): readonly unknown[] {
  const bounds = [schema, ...(schema.anyOf ?? [])].flatMap(({ type, ...one }) => [
    ...(type === 'string' && one.minLength ? [''] : []),
    ...(type === 'string' && (one.maxLength ?? TEXT_MOST) < TEXT_MOST ? ['x'.repeat((one.maxLength ?? 0) + 1)] : []),
    ...(one.minimum === undefined ? [] : [one.minimum - 1]),
    ...(one.maximum === undefined ? [] : [one.maximum + 1]),
    ...((one.maxItems ?? Infinity) < ITEMS_MOST ? [Array((one.maxItems ?? 0) + 1).fill('x')] : [])
  ])
  return [...ANYTHING, ...bounds]
}

function fits(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => fits(one, value))
  if (schema.enum) return schema.enum.includes(value)
  if (schema.type === undefined) return true
  return [schema.type].flat().some((type) => fitsType(type, schema, value))
}

function fitsType(type: string, schema: Schema, value: unknown): boolean {
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity, pattern = '' } = schema
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return (
        Array.isArray(value) &&
        value.length <= (schema.maxItems ?? Infinity) &&
        value.every((one) => fits(schema.items ?? {}, one))
      )
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'string':
      return (
        typeof value === 'string' &&
        value.length >= minLength &&
        value.length <= maxLength &&
        new RegExp(pattern).test(value)
      )
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' &&
        value >= minimum &&
        value <= maximum &&
        (type === 'number' || Number.isInteger(value))
      )
    default:
      return typeof value === type
  }
}
