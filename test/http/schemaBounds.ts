import { z } from 'zod'
import { hiddenIn } from '../../src/limits.js'

/** The places in a schema at which it takes a text, a number or a list of any size, or something that this does not know. */
export function unbounded(schema: unknown, path: string): readonly string[] {
  if (schema === undefined) return []
  const { entry, free } = schema instanceof z.ZodType ? hiddenIn(schema) : {}
  if (free) return []
  if (entry && schema instanceof z.ZodPipe) return [...boundOf(schema.in, path), ...unbounded(entry, `${path}[]`)]
  if (schema instanceof z.ZodString) return schema.maxLength === null ? [path] : []
  if (schema instanceof z.ZodNumber) return Number.isFinite(schema.maxValue ?? Infinity) ? [] : [path]
  if (schema instanceof z.ZodArray) return [...boundOf(schema, path), ...unbounded(schema.element, `${path}[]`)]
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, value]) => unbounded(value, `${path}.${key}`))
  // What is made of whatever was sent, before it is parsed, is as large as that: what it is parsed as bounds it.
  if (schema instanceof z.ZodPipe) return unbounded(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => unbounded(option, path))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unbounded(schema.unwrap(), path)
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral || schema instanceof z.ZodBoolean) return []
  return [`${path}: a schema that nobody knows to be bounded`]
}

/** A list that says how many entries it takes at most. */
function boundOf(schema: unknown, path: string): readonly string[] {
  const checks = schema instanceof z.ZodArray ? (schema._zod.def.checks ?? []) : []
  return checks.some(({ _zod: { def } }) => def.check === 'max_length') ? [] : [path]
}
