import * as assert from 'uvu/assert'
import { z } from 'zod'
import { openApi } from '../../docs/openApi.js'
import { messages } from '../../src/followers/webhooks/message.js'
import { ANSWERS, MESSAGES, OWN_ANSWERS } from '../../src/http/openapi/answerExamples.js'
import { schemaNames } from '../../src/http/openapi/names.js'
import { formsOf } from '../../src/http/openapi/operation.js'
import { type Fields, fields } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'

let document: Fields
const { test, world } = hubSuite('what the description of the interface says', sqlite)
test.before(async () => {
  document = fields(JSON.parse(JSON.stringify(await openApi())))
})

/** Objects of the document with where they are, but for examples. */
function* objectsIn(value: unknown, path: readonly string[] = []): Generator<readonly [readonly string[], Fields]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, fields(value)]
  for (const [key, inner] of Object.entries(value))
    if (key !== 'example' && key !== 'examples' && key !== 'default') yield* objectsIn(inner, [...path, key])
}

/** What needs a description: operations, parameters, tags, named schemas and properties, each with its name. */
function* toldIn(all: Fields): Generator<readonly [place: string, name: string, told: Fields]> {
  for (const [path, one] of objectsIn(all)) {
    const [place, name = '', outer] = [path.join(' '), path.at(-1), path.at(-2)]
    if (outer === 'properties' && path.at(-3) !== 'properties') yield [place, name, one]
    if (outer === 'schemas' && path.length === 3) yield [place, name, one]
    if (typeof one.summary === 'string') yield [place, one.summary, one]
    if (typeof one.in === 'string' && typeof one.name === 'string') yield [place, one.name, one]
  }
}

const plain = (text: string) => text.replaceAll(/[^a-z]/gi, '').toLowerCase()

test('every operation, parameter, named schema and property says what it is, and more than its name', () => {
  const all = [...toldIn(document)]
  assert.ok(all.length > 1700, `${all.length}`)
  const silent = all.filter(([, name, { description }]) => {
    const text = typeof description === 'string' ? description.trim() : ''
    return !/^["`A-Z0-9].*[.)]$/s.test(text) || plain(text) === plain(name)
  })
  assert.equal(
    silent.map(([place]) => place),
    []
  )
})

/** The operations with what is known of them. */
const operations = () =>
  Object.values(fields(document.paths)).flatMap((methods) => Object.values(fields(methods)).map(fields))
const contents = (of: unknown) => Object.values(fields(fields(of ?? {}).content ?? {})).map(fields)

function hasExample(content: Fields): boolean {
  const schema = fields(content.schema)
  const shown = typeof schema.$ref === 'string' ? schema : fields(schema.contentSchema ?? schema)
  const name = String(shown.$ref ?? '').replace('#/components/schemas/', '')
  return content.example !== undefined || Object.hasOwn(ANSWERS, name)
}

test('every operation with a body shows one, and an answer to it', () => {
  const bare = operations().flatMap(({ operationId, requestBody, responses }) => {
    if (requestBody === undefined) return []
    const answers = Object.entries(fields(responses)).flatMap(([status, one]) => (status < '300' ? contents(one) : []))
    return [...contents(requestBody), ...answers].every(hasExample) ? [] : [operationId]
  })
  assert.equal(bare, [])
})

/** The schemas that have a name, of those that make up this one. */
function collect(schema: unknown, found: Map<string, z.ZodType>): void {
  if (!(schema instanceof z.ZodType)) return
  const { id } = schemaNames.get(schema) ?? {}
  if (id !== undefined) found.set(id, schema)
  collect(schema._zod.parent, found)
  if (schema instanceof z.ZodArray) collect(schema.element, found)
  if (schema instanceof z.ZodObject) for (const inner of Object.values(schema.shape)) collect(inner, found)
}

test('every example of an answer or a message is one, and has nothing that the schema does not know', () => {
  const named = new Map<string, z.ZodType>()
  const own = new Map<string, z.ZodType>()
  for (const { description } of world.hub.declared) {
    if (description.speaks) collect(description.speaks.refusal, named)
    for (const [status, answer] of Object.entries(description.answers)) {
      for (const schema of Object.values(answer ? formsOf(answer) : {})) {
        collect(schema, named)
        if (Number(status) < 300) own.set(description.operation, schema)
      }
    }
  }
  const isOne = (name: string, schema: z.ZodType | undefined, example: unknown) => {
    const { data, error } = schema?.safeParse(example) ?? {}
    assert.equal(data, example, `${name}: ${error ?? 'a field is missing, or not known'}`)
  }
  for (const [name, example] of Object.entries(ANSWERS)) isOne(name, named.get(name), example)
  for (const [operation, example] of Object.entries(OWN_ANSWERS)) isOne(operation, own.get(operation), example)
  isOne('change', messages.change, MESSAGES.change)
  isOne('test', messages.test, MESSAGES.test)
})

test.run()
