import type { JsonSchema } from '../src/config/jsonSchema.js'
import type { ConfigurationTexts } from './configurationTexts.js'

/** Keys that the example explains once, at the first of those who have them. */
const SAME = [
  [/^llm\.providers\.\w+(?=\.)/, 'llm.providers.openai'],
  [/^redis\.tls(?=\.)/, 'db.tls']
] as const

/** The schema with a description of each key that the texts tell of, which editors show. */
export function describedSchema(schema: JsonSchema, texts: ConfigurationTexts): JsonSchema {
  return described(schema, '', undefined, texts)
}

function described(schema: JsonSchema, at: string, given: string | undefined, texts: ConfigurationTexts): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema
  const driver = driverOf(schema) ?? given
  const inner = <One extends JsonSchema>(one: One) => described(one, at, driver, texts)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => {
          if (typeof value === 'boolean') return [name, value]
          const key = at === '' ? name : `${at}.${name}`
          const text = texts.textOf(explainedAs(key), driver)
          return [name, { ...(text && { description: text }), ...described(value, key, driver, texts) }]
        })
      )
    }),
    ...(items && typeof items !== 'boolean' && !Array.isArray(items) && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) })
  }
}

function explainedAs(key: string): string {
  return SAME.reduce((name, [pattern, first]) => name.replace(pattern, first), key)
}

/** The driver whose keys a schema has. */
export function driverOf({ properties }: JsonSchema): string | undefined {
  const driver = properties?.driver
  if (driver === undefined || typeof driver === 'boolean') return undefined
  const { const: one = driver.anyOf?.[0]?.const } = driver
  return typeof one === 'string' ? one : undefined
}
