import { z } from 'zod'

/** A key that the schema knows. */
export interface KnownKey {
  readonly path: readonly string[]
  /** True where its value is one text, number or flag; else it is a list, or a mapping with free names. */
  readonly isScalar: boolean
}

type Schema = z.core.$ZodType

const { $ZodBoolean, $ZodEnum, $ZodLiteral, $ZodNumber, $ZodString } = z.core
const SCALARS = [$ZodString, $ZodNumber, $ZodBoolean, $ZodEnum, $ZodLiteral]

/**
 * Every key that holds a value of its own, in any of the forms that the schema allows. Keys inside lists are not among them. It looks
 * at the schema as it is: a JSON Schema of it would take a command that is over at once a tenth of its time.
 */
export function knownKeys(schema: Schema): readonly KnownKey[] {
  return [...valuesIn(forms(schema), [])]
}

function* valuesIn(schemas: readonly Schema[], path: readonly string[]): Generator<KnownKey> {
  const shapes = schemas.flatMap((schema) => (schema instanceof z.core.$ZodObject ? [schema._zod.def.shape] : []))
  for (const key of new Set(shapes.flatMap((shape) => Object.keys(shape)))) {
    const at = [...path, key]
    const below = shapes.flatMap(({ [key]: value }) => (value === undefined ? [] : forms(value)))
    const isScalar = below.some((schema) => SCALARS.some((scalar) => schema instanceof scalar))
    const isMapping = below.some((schema) => schema instanceof z.core.$ZodObject)
    if (isScalar || !isMapping) yield { path: at, isScalar }
    yield* valuesIn(below, at)
  }
}

/** What is read where `schema` stands, each form for itself, without what is made of it. */
function forms(schema: Schema): readonly Schema[] {
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.flatMap(forms)
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return forms(schema._zod.def.innerType)
  if (schema instanceof z.core.$ZodPipe) return forms(schema._zod.def.in)
  return [schema]
}
