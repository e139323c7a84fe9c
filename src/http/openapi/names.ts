import { z } from 'zod'

/** The names of schemas that the description of the interface shows once, under `components`, and refers to elsewhere. */
export const schemaNames = z.registry<{ readonly id: string }>()

/** Gives a schema its name, or the object of these fields; returns the schema. */
export function named<S extends z.ZodType>(id: string, schema: S): S
export function named<S extends z.core.$ZodLooseShape>(id: string, fields: S): z.ZodObject<S>
export function named(id: string, of: z.ZodType | z.core.$ZodLooseShape): z.ZodType {
  const schema = of instanceof z.ZodType ? of : z.object(of)
  schemaNames.add(schema, { id })
  return schema
}
