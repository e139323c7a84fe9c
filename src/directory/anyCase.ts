import { z } from 'zod'

/**
 * An object whose names may be written in whatever case, as those of attributes are (RFC 7643, section 2.1): of several alike the last
 * counts.
 */
export function inAnyCase<S extends z.ZodObject>(schema: S) {
  const names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]))
  const asNamed = (name: string) => names.get(name.toLowerCase()) ?? name
  return z.preprocess((sent) => {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
    if (Object.keys(sent).every((name) => asNamed(name) === name)) return sent
    return Object.fromEntries(Object.entries(sent).map(([name, value]) => [asNamed(name), value]))
  }, schema)
}
