import { z } from 'zod'
import { hiddenIn } from '../limits.js'

type Shape = Readonly<Record<string, unknown>>
const known = new WeakMap<z.ZodType, Map<'input' | 'output', Shape>>()

/** The JSON Schema of what a client sends, or gets, for a model to read. Made once. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Shape {
  const made = known.get(schema) ?? new Map<'input' | 'output', Shape>()
  known.set(schema, made)
  const found = made.get(io) ?? describe(schema, io)
  made.set(io, found)
  return found
}

function describe(schema: z.ZodType, io: 'input' | 'output'): Shape {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // A list says how long it may be before it looks at its entries: what they are stands beside it.
      const { entry } = hiddenIn(zodSchema)
      if (entry) jsonSchema.items = z.json().parse(describe(entry, io)) as typeof jsonSchema.items
    }
  })
  return described
}
