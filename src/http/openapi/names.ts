import { z } from 'zod'

/** The names of schemas that the description of the interface shows once, under `components`, and refers to elsewhere. */
export const schemaNames = z.registry<{ readonly id: string; readonly description: string }>()

/** Gives a schema, or the object of these fields, its name and says what it is; returns the schema. */
export function named<S extends z.ZodType>(id: string, description: string, schema: S): S
export function named<S extends z.core.$ZodLooseShape>(id: string, description: string, fields: S): z.ZodObject<S>
export function named(id: string, description: string, of: z.ZodType | z.core.$ZodLooseShape): z.ZodType {
  const schema = of instanceof z.ZodType ? of : z.object(of)
  schemaNames.add(schema, { id, description })
  return schema
}
