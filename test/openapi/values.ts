import fc from 'fast-check'
import { type Fields, fields } from '../http/client.js'

/** The id of a record that is there when the request is sent: one of these kinds, the `n`th that is known. */
export const ID = /^ID:([a-z-]+):(\d+)$/

/** What a field that holds ids names; other ids are anybody's guess. */
const KINDS: Readonly<Record<string, string>> = {
  collectionId: 'collections',
  collectionAccess: 'collections',
  environmentAccess: 'environments',
  snippetAccess: 'snippets',
  liveServerAccess: 'live-servers',
  livePageAccess: 'live-pages',
  parentUuid: 'environments',
  folderId: 'folders',
  parentFolderId: 'folders',
  orderedFolderIds: 'folders',
  orderedRequestIds: 'requests',
  orderedDocumentIds: 'documents'
}

const HOSTILE = [
  '',
  ' ',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  '%00',
  '../..',
  "' OR 1=1 --",
  '\u202e',
  '0',
  'null'
]
const ENTRIES_MOST = 4

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ minLength: 400, maxLength: 700 }) }
)
const anything = fc.oneof(texts, fc.jsonValue({ maxDepth: 3 }), fc.double(), fc.integer())

/** Values that a JSON Schema of the document allows; `name` is the field that holds it, or the kind of record in a path. */
export function valuesOf(document: Fields, schema: Fields, name: string): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type } = schema
  if ($ref === '#/components/schemas/Id' || (typeof type === 'string' && name === 'id')) return idsOf(name)
  if (typeof $ref === 'string') return valuesOf(document, referred(document, $ref), name)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => valuesOf(document, fields(one), name)))
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => valuesOf(document, { ...schema, type: one }, name)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  switch (type) {
    case 'string':
      return KINDS[name] === undefined ? textsOf(schema) : idsOf(name)
    case 'integer':
    case 'number':
      return numbersOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      if (/Access$|^llmModels$/.test(name)) return accessLists(name)
      return fc.array(valuesOf(document, fields(schema.items ?? {}), name), { maxLength: ENTRIES_MOST })
    case 'object':
      return objectsOf(document, schema)
    default:
      return anything
  }
}

/** The schema, or the part, that a reference leads to. */
export function referred(document: Fields, ref: string): Fields {
  return ref
    .replace('#/', '')
    .split('/')
    .reduce((outer, key) => fields(outer[key]), document)
}

function accessLists(name: string): fc.Arbitrary<readonly string[]> {
  return fc.oneof(fc.constant([]), fc.constant(['*']), fc.array(idsOf(name), { maxLength: ENTRIES_MOST }))
}

function idsOf(name: string): fc.Arbitrary<string> {
  const kind = KINDS[name] ?? name
  return fc.oneof(
    { weight: 9, arbitrary: fc.nat(50).map((n) => `ID:${kind}:${n}`) },
    { weight: 1, arbitrary: fc.constantFrom('*', 'missing', ...HOSTILE) }
  )
}

function textsOf({
  pattern,
  format,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY
}: Fields): fc.Arbitrary<string> {
  if (typeof pattern === 'string') return fc.oneof(fc.stringMatching(new RegExp(pattern)), fc.nat(500).map(String))
  if (format === 'ipv4') return fc.ipV4()
  if (format === 'ipv6') return fc.ipV6()
  return texts.map((text) => text.slice(0, Number(maxLength)).padEnd(Number(minLength), 'x'))
}

function numbersOf({ minimum = -1000, maximum = 1_000_000 }: Fields): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum), Number(maximum)]
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min, max: Math.min(max, min + 1) }) },
    { weight: 2, arbitrary: fc.integer({ min, max: Math.min(max, min + 20) }) },
    { weight: 1, arbitrary: fc.constant(Math.min(max, Number.MAX_SAFE_INTEGER)) }
  )
}

function objectsOf(document: Fields, schema: Fields): fc.Arbitrary<unknown> {
  const properties = Object.entries(fields(schema.properties ?? {}))
  if (properties.length === 0)
    return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  return recordsOf(
    properties.map(([key, one]) => [key, valuesOf(document, fields(one), key)]),
    required
  )
}

/** Objects of these fields, of which only some are always there. */
export function recordsOf(
  entries: readonly (readonly [name: string, values: fc.Arbitrary<unknown>])[],
  required: readonly string[]
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(entries)
  return fc.record(model, { requiredKeys: [...required] })
}

/** The value with one thing in it wrong: something else in its place, gone, or there though nobody asked for it. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return anything
  const keys = Object.keys(value)
  if (keys.length === 0) return anything
  const entries = Object.entries(value)
  const put = (at: string, other: unknown) =>
    Array.isArray(value)
      ? value.map((one, i) => (String(i) === at ? other : one))
      : Object.fromEntries(entries.map(([key, one]) => [key, key === at ? other : one]))
  const inside = fc
    .constantFrom(...keys)
    .chain((key) => mutated(Reflect.get(value, key)).map((other) => put(key, other)))
  const gone = fc.constantFrom(...keys).map((gone) => Object.fromEntries(entries.filter(([key]) => key !== gone)))
  const more = fc.tuple(fc.constantFrom(...HOSTILE), anything).map(([key, one]) => ({ ...value, [key]: one }))
  return fc.oneof(
    { weight: 4, arbitrary: inside },
    { weight: 2, arbitrary: gone },
    { weight: 1, arbitrary: more },
    anything
  )
}
