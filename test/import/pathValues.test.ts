import * as assert from 'uvu/assert'
import { stringify } from 'yaml'
import { writeExport } from '../../src/records/export/formats.js'
import { suite } from '../support/suite.js'
import { readCollection, valuesOf, whats } from './read.js'

const test = suite('values of variables in paths')

type Given = readonly [url: string, key: string, value: string]

/** Files of each tool whose requests have these URLs, in which a variable in the path has a value. */
const FILES: Readonly<Record<string, (...given: readonly Given[]) => object>> = {
  postman: (...given) => ({
    info: { name: 'P', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'set', value: 'here' }],
    item: given.map(([raw, key, value], i) => ({
      name: `R${i}`,
      request: { method: 'GET', url: { raw, variable: [{ key, value }] } }
    }))
  }),
  insomnia: (...given) => ({
    type: 'collection.insomnia.rest/5.0',
    name: 'I',
    environments: { name: 'Base', data: { set: 'here' } },
    collection: given.map(([url, name, value], i) => ({
      ...{ name: `R${i}`, url, method: 'GET', pathParameters: [{ name, value }] }
    }))
  }),
  bruno: (...given) => ({
    ...{
      name: 'B',
      version: '1',
      root: { request: { vars: { req: [{ name: 'set', value: 'here', enabled: true }] } } }
    },
    items: given.map(([url, name, value], i) => ({
      ...{ type: 'http', name: `R${i}` },
      request: { url, method: 'GET', params: [{ name, value, type: 'path', enabled: true }] }
    }))
  })
}

const read = (file: object) => readCollection(Buffer.from(stringify(file, { aliasDuplicateObjects: false })))
const said = (file: object) => {
  const { tree, notes } = read(file)
  return [
    valuesOf(tree.settings.variables),
    notes.flatMap(({ what, places }) => places.map((place) => `${place}: ${what}`))
  ]
}
const LOST =
  'Values of variables in a path (/:id) are left out where requests have different ones, or the collection another.'

for (const [tool, file] of Object.entries(FILES)) {
  test(`of ${tool}: one that all requests agree about is a variable of the collection`, () => {
    const url = 'https://x.test/:id/'
    assert.equal(said(file([url, 'id', '7'], [`${url}more`, 'id', '7'], [url, 'id', ''])), [['set=here', 'id=7'], []])
  })

  test(`of ${tool}: what requests give different values, or the collection another one, is named with its places`, () => {
    const url = 'https://x.test/:id'
    assert.equal(said(file([url, 'id', '7'], [url, 'id', '8'])), [
      ['set=here'],
      [`R0 (id): ${LOST}`, `R1 (id): ${LOST}`]
    ])
    assert.equal(said(file(['https://x.test/:set', 'set', 'other'])), [['set=here'], [`R0 (set): ${LOST}`]])
    assert.equal(said(file(['https://x.test/:set', 'set', 'here'])), [['set=here'], []])
  })

  test(`of ${tool}: what stands for the variable of its name, or in no path, says nothing`, () =>
    assert.equal(said(file(['https://x.test/:id', 'id', '{{id}}'], ['https://x.test/:ids', 'id', '7'])), [
      ['set=here'],
      []
    ]))
}

test('of OpenAPI: examples and defaults of parameters in a path are kept, and made values are not', () => {
  const at = (schema: object, more: object = {}) => ({
    get: { parameters: [{ name: 'id', in: 'path', required: true, schema, ...more }] }
  })
  const described = (paths: object) => ({
    openapi: '3.0.0',
    info: { title: 'T' },
    servers: [{ url: 'https://x' }],
    paths
  })
  const variables = (paths: object) => said(described(paths))[0]
  const base = 'baseUrl=https://x'
  assert.equal(variables({ '/a/{id}': at({ type: 'integer' }, { example: 7 }) }), [base, 'id=7'])
  assert.equal(variables({ '/a/{id}': at({ type: 'integer', default: 8 }) }), [base, 'id=8'])
  assert.equal(variables({ '/a/{id}': at({}, { examples: { one: { value: 'x' } } }) }), [base, 'id=x'])
  assert.equal(variables({ '/a/{id}': at({ type: 'integer' }) }), [base])
  assert.equal(said(described({ '/a/{id}': at({ example: 1 }), '/b/{id}': at({ example: 2 }) })), [
    [base],
    [`GET /a/{id} (id): ${LOST}`, `GET /b/{id} (id): ${LOST}`]
  ])
})

test('an export says what they stand for, and brings the same back', () => {
  const file = FILES.postman
  if (!file) throw new Error('There is a file of Postman.')
  for (const name of ['id', 'user-id', 'größe']) {
    const { tree } = read(file([`https://x.test/:${name}`, name, '7']))
    assert.is(tree.settings.variables.length, 2)
    for (const format of ['postman', 'postman-v3', 'bruno', 'opencollection', 'opencollection-file'] as const) {
      const { bytes, notes } = writeExport(tree, format)
      const back = readCollection(bytes)
      assert.equal([notes, back.notes, back.tree.settings], [[], [], tree.settings])
    }
    assert.match(Buffer.from(writeExport(tree, 'postman').bytes).toString(), `"value": "{{${name}}}"`)
  }
})

test('an export to OpenAPI says them as examples, whichever order they came in, but for secrets', () => {
  const parameters = ['b', 'a'].map((name) => ({ name, in: 'path', required: true, schema: {}, example: `is ${name}` }))
  const paths = { '/{a}/{b}': { get: { summary: 'It', parameters } } }
  const { tree } = read({ openapi: '3.0.0', info: { title: 'T' }, servers: [{ url: 'https://x.test' }], paths })
  const { bytes, notes } = writeExport(tree, 'openapi')
  assert.equal([notes, readCollection(bytes).tree], [[], tree])
  const variables = tree.settings.variables.map((one) => ({ ...one, share: one.key === 'baseUrl' }))
  const secret = writeExport({ ...tree, settings: { ...tree.settings, variables } }, 'openapi')
  assert.not.match(Buffer.from(secret.bytes).toString(), 'is a')
  assert.equal(whats(secret), ['Variables are left out: their names stay.'])
})

test.run()
