import { z } from 'zod'

/** The names of schemas that the description of the interface shows once, under `components`, and refers to elsewhere. */
export const schemaNames = z.registry<{ readonly id: string }>()

/** Gives the schema its name; returns the schema. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  schemaNames.add(schema, { id })
  return schema
}
