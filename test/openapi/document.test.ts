import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as assert from 'uvu/assert'
import { openApi } from '../../docs/openApi.js'
import { breaksOf } from '../../docs/openApiBreaks.js'
import type { OpenApiDocument } from '../../src/http/openapi/document.js'
import { EXAMPLES } from '../../src/http/openapi/examples.js'
import { TAGS } from '../../src/http/openapi/tags.js'
import { fields } from '../http/client.js'
import { sqlite } from '../http/drivers.js'
import { hubSuite } from '../http/hub-suite.js'

let document: OpenApiDocument
const { test, world } = hubSuite('the description of the interface', sqlite)
test.before(async () => {
  document = await openApi()
})

/** A page of the project, as an object. */
const page = (name: string) =>
  fields(JSON.parse(readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')))
const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods))

test('it is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  assert.is(valid, true, JSON.stringify(errors))
  assert.is(validator.version, '3.1')
})

test('the page of the project is what the routes say: npm run docs writes it', () => {
  assert.equal(page('openapi.json'), JSON.parse(JSON.stringify(document)))
})

test('a hub serves it to whoever asks, and to who has it already only that it has', async () => {
  const served = await world.hub.send({ method: 'GET', path: '/openapi.json' })
  assert.equal(served.body, page('openapi.json'))
  const headers = { 'if-none-match': served.headers.etag ?? '' }
  const again = await world.hub.send({ method: 'GET', path: '/openapi.json', headers })
  assert.equal([again.status, again.text], [304, ''])
})

test('nothing of it breaks clients of the release before', () => {
  assert.equal(breaksOf(page('openapi-previous.json'), document), [])
})

test('every route of the hub is in it', () => {
  const known = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
  const served = world.hub.declared
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
  assert.equal(known.toSorted(), served.toSorted())
})

test('every operation has a name of its own, a summary and a group that is told of', () => {
  const all = operations()
  assert.is(new Set(all.map(({ operationId }) => operationId)).size, all.length)
  for (const { operationId, summary, tags } of all) {
    assert.match(operationId, /^[a-z]+[A-Z][A-Za-z]+$/)
    assert.match(summary, /^[A-Z].*[^.]$/, operationId)
    for (const tag of tags) assert.ok(Object.hasOwn(TAGS, tag), tag)
  }
  const used = new Set(all.flatMap(({ tags }) => tags))
  assert.equal(used, new Set(Object.keys(TAGS)))
})

test('every example is a body that its route takes', () => {
  const known = new Map(world.hub.declared.map((route) => [route.description.operation, route]))
  for (const [operation, example] of Object.entries(EXAMPLES)) {
    const result = known.get(operation)?.input.body?.safeParse(example)
    assert.is(result?.success, true, `${operation}: ${result?.error}`)
  }
})

/** Fields that hold whatever a record, or a client, has put there. */
const OPEN = [
  /^components schemas FieldChange properties (from|to)$/,
  /payload additionalProperties$/,
  /^paths \/openapi/,
  // What the protocol of agents says, and what other tools' files are, is said elsewhere.
  /^paths \/mcp post responses 200 /,
  /^paths \/collections\/\{id\}\/export get responses 200 /,
  /^paths \/environments\/\{id\}\/export get responses 200 /,
  // What desktops keep in live servers and live pages, of which the hub knows no more than that it is JSON.
  /^components schemas \w*Live(Server|Page)\w* properties (scripts|\w+RequestScripts|variables|headers|auth)( items)?$/,
  // RFC 9457 lets problems have members of their own.
  /^components schemas Problem additionalProperties$/
]

test('no schema is left open that could say more', () => {
  const open: string[] = []
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    const entries = Object.entries(value)
    if (entries.length === 0 && !Array.isArray(value)) open.push(path.join(' '))
    for (const [key, inner] of entries) walk(inner, [...path, key])
  }
  walk(JSON.parse(JSON.stringify(document)), [])
  assert.equal(
    open.filter((path) => !OPEN.some((known) => known.test(path))),
    []
  )
})

test('every component is used', () => {
  const text = JSON.stringify(document)
  for (const [kind, members] of Object.entries(fields(document.components))) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(fields(members)))
      assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind} ${name}`)
  }
})

test('an operation without a lock needs no token', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { security }] of Object.entries(methods)) {
      const { status } = await world.hub.send({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'x') })
      assert.is(status === 401, security === undefined, `${method} ${path}: ${status}`)
    }
  }
})

test.run()
