import { type Node, type ParseError, parseTree } from 'jsonc-parser'

/** A text of JSON, also one that never ends, or a reference to a variable outside of one, which stands for any value. */
const TEXT_OR_REFERENCE = /"(?:[^"\\\n]|\\.)*"?|\{\{[^{}\n]*\}\}/g

/** What `jsonc-parser` is to take: JSON alone. */
export const STRICT = { disallowComments: true }

/** The same with a text of its length in place of each reference to a variable, so that every place stays where it is. */
export const withoutReferences = (text: string): string =>
  text.replace(TEXT_OR_REFERENCE, (found) => (found.startsWith('{{') ? `"${'_'.repeat(found.length - 2)}"` : found))

/** What a text of JSON holds. A value that holds no others is its text: numbers keep their digits, and it may be a reference. */
export type Json =
  | { readonly is: 'leaf'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly Json[] }
  | { readonly is: 'object'; readonly fields: ReadonlyMap<string, Json> }

/** What is deeper than this nobody reads by structure. */
const DEEPEST = 200

/** What a text holds in which references to variables may stand where values do; null where it is no JSON, or too deep. */
export function jsonOf(text: string): Json | null {
  const errors: ParseError[] = []
  try {
    const root = parseTree(withoutReferences(text), errors, STRICT)
    return root && errors.length === 0 ? held(root, text, DEEPEST) : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function held({ type, children = [], offset, length }: Node, text: string, depth: number): Json {
  if (depth === 0) throw new RangeError('The text is too deep.')
  if (type === 'array') return { is: 'list', items: children.map((one) => held(one, text, depth - 1)) }
  if (type !== 'object') return { is: 'leaf', text: text.slice(offset, offset + length) }
  const fields = new Map<string, Json>()
  for (const { children: [name, value] = [] } of children) {
    if (!name || !value) continue
    const written = text.slice(name.offset, name.offset + name.length)
    fields.set(written.startsWith('{{') ? written : String(name.value), held(value, text, depth - 1))
  }
  return { is: 'object', fields }
}
