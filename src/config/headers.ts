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

  const takeMapping = (mapping: Readonly<Record<string, unknown>>, path: Path) => {
    for (const [key, value] of Object.entries(mapping)) {
      const name = key.trim()
      if (name === '') continue
      if (!NAME.test(name)) refuse(path, 'Header names may hold only letters, digits and the signs of an HTTP token.')
      else if (typeof value !== 'string') refuse([...path, key], 'Header value must be a string.')
      else if (!VALUE.test(value))
        refuse([...path, key], 'Header value must not hold line breaks or control characters.')
      else pairs.push([name, value])
    }
  }

  const takeList = (list: readonly unknown[], path: Path, nested: boolean) => {
    for (const [index, item] of list.entries()) {
      const at = [...path, index]
      if (isMapping(item)) takeMapping(item, at)
      else if (Array.isArray(item) && !nested) takeList(item, at, true)
      else refuse(at, 'Headers must be a mapping, or a list of mappings.')
    }
  }

  if (isMapping(input)) takeMapping(input, [])
  else if (Array.isArray(input)) takeList(input, [], false)
  else if (input != null) refuse([], 'Headers must be a mapping, or a list of mappings.')
  return pairs
})

/** The same as a secret: a header is where a credential stands. */
export const headers = headerPairs.meta({ type: ['object', 'array'], writeOnly: true })
