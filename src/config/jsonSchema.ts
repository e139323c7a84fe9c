import { z } from 'zod'
import { isMapping } from './fields.js'
import type { Path } from './problems.js'
import { hubSchema } from './schema.js'

/** A JSON Schema (2020-12), or a part of one. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Keys of the root that start so are the file's own: places for YAML anchors. */
export const OWN_KEY = /^x-/

let made: JsonSchema | undefined

/** The JSON Schema of `server.yaml`: what every section and key may be. Secrets are `writeOnly`. */
export function configSchema(): JsonSchema {
  made ??= {
    ...z.toJSONSchema(hubSchema('.'), { io: 'input' }),
    title: 'Configuration of Collections Hub',
    patternProperties: { [OWN_KEY.source]: {} }
  }
  return made
}

/** The keys that a mapping at `path` may have, in the order of the schema; `root` says which driver's. */
export function keysAt(path: Path, root: unknown): readonly string[] {
  return [...new Set(schemasAt(path, root).flatMap((schema) => Object.keys(schema.properties ?? {})))]
}

/** True for a value that is not shown to anybody. */
export function isSecret(path: Path, root: unknown): boolean {
  return schemasAt(path, root).some(({ writeOnly }) => writeOnly === true)
}

function schemasAt(path: Path, root: unknown): readonly JsonSchema[] {
  let schemas: readonly JsonSchema[] = [configSchema()]
  let value = root
  for (const segment of path) {
    value = child(value, segment)
    const below = schemas.flatMap((schema) => childSchemas(schema, segment))
    schemas = below.flatMap(alternatives).filter((schema) => mayBe(schema, value))
  }
  return schemas
}

/** What a value may be, each for itself. A list of types is one for each; a secret is one in every form. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf, type, writeOnly } = schema
  const several = anyOf ?? oneOf
  if (several !== undefined) {
    const kept = writeOnly === undefined ? {} : { writeOnly }
    return several.flatMap((one) => alternatives({ ...partOf(one), ...kept }))
  }
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema]
}

function childSchemas(
  { properties, items, additionalProperties: free }: JsonSchema,
  segment: PropertyKey
): readonly JsonSchema[] {
  if (typeof segment === 'number') return items === undefined || Array.isArray(items) ? [] : [partOf(items)]
  const found = properties?.[String(segment)]
  // What has free names is the same under each.
  const either = found ?? (typeof free === 'object' ? free : undefined)
  return either === undefined ? [] : [partOf(either)]
}

/** False where a value names another driver than the schema is of. */
function mayBe({ properties }: JsonSchema, value: unknown): boolean {
  if (!isMapping(value) || typeof value.driver !== 'string' || properties?.driver === undefined) return true
  const { driver } = value
  return alternatives(partOf(properties.driver)).some(({ const: one, enum: several }) =>
    several === undefined ? one === driver : several.includes(driver)
  )
}

function partOf(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}

function child(value: unknown, segment: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(segment)]
  return isMapping(value) ? value[String(segment)] : undefined
}
