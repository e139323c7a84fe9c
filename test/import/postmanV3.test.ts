import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { examplesIn } from '../../src/records/formats/examples.js'
import { itemsOf } from '../../src/records/formats/model.js'
import { readImport } from '../../src/records/import/formats.js'
import { suite } from '../support/suite.js'
import { on, outline, readCollection, requestIn, valuesOf, whats } from './read.js'

const test = suite('directories of schema 3.0 of Postman')

const zipped = (files: Readonly<Record<string, string>>, base = '') =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${base}${path}`, strToU8(text)])))

const DEFINITION = `$kind: collection
name: Shop
description: About it.
variables:
  - key: base
    value: https://x.test
  - {key: off, value: '1', disabled: true}
auth:
  type: bearer
  credentials:
    - {key: token, value: t}
scripts:
  - {type: 'http:beforeRequest', code: begin(), language: text/javascript}
  - {type: 'grpc:beforeInvoke', code: other(), language: text/javascript}
`
const GET = `$kind: http-request
name: Orders/one
order: 1000
method: GET
url: '{{base}}/orders/:id'
description: One order.
headers: {Accept: text/plain}
queryParams:
  - {key: a, value: '1'}
  - {key: b, value: '2', disabled: true}
pathVariables: [{key: id, value: ''}]
auth: {type: basic, credentials: [{key: username, value: u}, {key: password, value: p}]}
scripts:
  - type: afterResponse
    code: |-
      one()
      two()
    language: text/javascript
`
const EXAMPLE = `$kind: http-example
request: {url: '{{base}}/orders/:id', method: GET}
response:
  statusCode: 404
  statusText: Not Found
  headers: [{key: X, value: y}]
  body: {type: json, content: '{}'}
`
const files = {
  '.resources/definition.yaml': DEFINITION,
  'add.request.yaml':
    '$kind: http-request\norder: 3000\nmethod: POST\nurl: "{{base}}"\nbody:\n  type: json\n  content: |-\n    {"a": 1}\n',
  'form.request.yml':
    '$kind: http-request\nmethod: POST\nurl: "{{base}}"\nsettings: {strictSSL: false}\nbody:\n  type: formdata\n  content:\n    - {key: t, type: text, value: v}\n    - {key: f, type: file, src: /etc/passwd}\n',
  'orders/.resources/definition.yaml': '$kind: collection\nname: Orders\norder: 2000\ndescription: All orders.\n',
  'orders/Orders-one.request.yaml': GET,
  'orders/.resources/Orders-one.resources/examples/Gone.example.yaml': EXAMPLE,
  'ask.request.yaml': `$kind: graphql-request\norder: 4000\nurl: "{{base}}"\nquery: '{ a }'\nvariables: '{"b": 1}'\n`,
  'call.request.yaml': '$kind: grpc-request\nurl: grpc.test\n'
}
const ENVIRONMENT =
  'name: Dev\nvalues:\n  - {key: base, value: d, enabled: true, type: default}\n  - {key: k, value: s, type: secret}\n'

test('folders, requests and examples by their order, and what cannot be carried over', () => {
  const { format, tree, notes } = readCollection(zipped(files, 'postman/collections/shop/'))
  assert.equal([format, tree.name], ['postman-v3', 'Shop'])
  assert.equal(outline(tree), [
    'README.md',
    'Orders',
    'Orders / README.md',
    'Orders / GET Orders/one',
    'Orders / Orders/one examples.md',
    'POST add',
    'POST ask',
    'POST form'
  ])
  const { settings } = tree
  assert.equal([settings.auth.bearer.token, settings.preRequestScript], ['t', 'begin()'])
  assert.equal(valuesOf(settings.variables), ['base=https://x.test', '~off=1'])
  const get = requestIn(tree, 'Orders/one')
  assert.equal([get.url, get.params], ['{{base}}/orders/:id?a=1', [{ key: 'b', value: '2', enabled: false }]])
  assert.equal([get.headers, get.comment], [[on('Accept', 'text/plain')], 'One order.'])
  assert.equal([get.auth.basic, get.postRequestScript], [{ username: 'u', password: 'p' }, 'one()\ntwo()'])
  const examples = [...itemsOf(tree.items)].flatMap(({ item }) =>
    item.kind === 'document' && item.name.endsWith('examples.md') ? (examplesIn(item.content) ?? []) : []
  )
  assert.equal(examples, [
    { name: 'Gone', status: 404, reason: 'Not Found', headers: [{ key: 'X', value: 'y' }], body: '{}' }
  ])
  assert.equal([requestIn(tree, 'add').bodyType, requestIn(tree, 'add').body], ['json', '{"a": 1}'])
  assert.is(requestIn(tree, 'ask').body, '{"query":"{ a }","variables":{"b":1}}')
  assert.not.match(JSON.stringify(tree), 'passwd')
  const told = whats({ notes }).join('\n')
  for (const what of ['Only HTTP', 'Which file', 'Settings of how', 'GraphQL', 'other protocols'])
    assert.match(told, what)
})

test('wherever the directory stands, and without a definition it is called after its folder', () => {
  assert.equal(outline(readCollection(zipped(files, 'api/')).tree).length, 8)
  const { '.resources/definition.yaml': _, ...others } = files
  for (const [base, name] of [
    ['postman/collections/shop/', 'shop'],
    ['shop/', 'shop'],
    ['', 'Imported collection']
  ] as const)
    assert.is(readCollection(zipped(others, base)).tree.name, name)
})

test('a working copy with several collections and environments brings each by itself', () => {
  const archive = zipSync({
    'postman/collections/a/one.request.yaml': strToU8('$kind: http-request\nmethod: GET\nurl: https://x.test\n'),
    'postman/collections/b/two.request.yaml': strToU8('$kind: http-request\nmethod: GET\nurl: https://x.test\n'),
    'postman/environments/Dev.environment.yaml': strToU8(ENVIRONMENT)
  })
  const { parts } = readImport(archive)
  assert.equal(
    parts.map(({ id, name, brings, format }) => [id, name, brings, format]),
    [
      ['postman/collections/a/', 'a', 'collection', 'postman-v3'],
      ['postman/collections/b/', 'b', 'collection', 'postman-v3'],
      ['postman/environments/Dev.environment.yaml', 'Dev', 'environments', 'postman']
    ]
  )
  const { environments } = readImport(archive, { part: 'postman/environments/Dev.environment.yaml' })
  assert.equal(valuesOf(environments[0]?.variables ?? []), ['base=d', 'k*=s'])
})

test.run()
