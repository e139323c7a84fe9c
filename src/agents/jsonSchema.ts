import { z } from 'zod'
import { hiddenIn } from '../limits.js'

/** The JSON Schema of an object that a client sends, or gets, for a model to read. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Readonly<Record<string, unknown>> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // A list says how long it may be before it looks at its entries: what they are stands beside it.
      const { entry } = hiddenIn(zodSchema)
      if (entry) jsonSchema.items = z.json().parse(jsonSchemaOf(entry, io)) as typeof jsonSchema.items
    }
  })
  return described
}
