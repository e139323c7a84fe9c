import { z } from 'zod'
import { isMapping } from './fields.js'
import type { Header } from './types.js'

type Path = readonly (string | number)[]

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Headers in any of the three forms in use (a mapping, a list of mappings, a list of lists of mappings) as pairs in
 * the order of the file. Names are trimmed and blank ones dropped. What could not be sent as a header is a problem
 * here, because the HTTP client's own message would quote the value, which may be a credential.
 */
const headerPairs = z.unknown().transform((input, context): readonly Header[] => {
  const pairs: Header[] = []
  const refuse = (path: Path, message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message, input: undefined })

  const takeHeader = (key: string, value: unknown, path: Path) => {
    const name = key.trim()
    if (name === '') return
    if (!NAME.test(name)) refuse(path, 'Header names may hold only letters, digits and the signs of an HTTP token.')
    else if (typeof value !== 'string') refuse([...path, key], 'Header value must be a string.')
    else if (!VALUE.test(value)) refuse([...path, key], 'Header value must not hold line breaks or control characters.')
    else pairs.push([name, value])
  }
  const take = (value: unknown, path: Path, depth: number) => {
    if (isMapping(value)) for (const [key, one] of Object.entries(value)) takeHeader(key, one, path)
    else if (Array.isArray(value) && depth < 2)
      for (const [at, one] of value.entries()) take(one, [...path, at], depth + 1)
    else refuse(path, 'Headers must be a mapping, or a list of mappings.')
  }
  if (input != null) take(input, [], 0)
  return pairs
})

/** The same as a secret: a header is where a credential stands. */
export const headers = headerPairs.meta({ type: ['object', 'array'], writeOnly: true })
