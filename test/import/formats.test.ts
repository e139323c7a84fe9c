import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { examplesIn } from '../../src/records/formats/examples.js'
import { itemsOf } from '../../src/records/formats/model.js'
import type { ImportFormat } from '../../src/records/import/imported.js'
import { suite } from '../support/suite.js'
import {
  type CollectionRead,
  documentIn,
  off,
  on,
  outline,
  readCollection,
  requestIn,
  requestsIn,
  valuesOf,
  whats
} from './read.js'

const test = suite('files of other tools')

const read = (content: unknown, format?: ImportFormat): CollectionRead =>
  readCollection(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), format)

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const info = { name: 'API', _postman_id: 'p', schema: SCHEMA, description: 'About it.' }
const rows = (of: object) => Object.entries(of).map(([key, value]) => ({ key, value }))
const bearer = (token: string) => ({ type: 'bearer', bearer: rows({ token }) })
const get = { method: 'GET', url: 'https://x.test' }
const post = { ...get, method: 'POST' }

test('Postman: scripts and bodies that are switched off are left out, and named', () => {
  const request = { ...post, body: { disabled: true, mode: 'raw', raw: 'hello' } }
  const event = [{ listen: 'prerequest', disabled: true, script: { exec: 'one()' } }]
  const imported = read({ info, item: [{ name: 'Off', event, request }] })
  const { preRequestScript, body } = requestIn(imported.tree, 'Off')
  assert.equal([preRequestScript, body], ['', ''])
  assert.equal(whats(imported).toSorted(), [
    'A body that is switched off is not carried over.',
    'Scripts that are switched off are not carried over.'
  ])
})

test('Postman: folders with their authentication, scripts, variables and descriptions', () => {
  const imported = read({
    info,
    auth: bearer('all'),
    variable: [
      { key: 'a', value: 1 },
      { key: 'b', value: 'x', disabled: true }
    ],
    event: [{ listen: 'prerequest', script: { exec: ['one()', 'two()'] } }],
    item: [
      {
        name: 'Users',
        description: { content: 'All users.' },
        auth: bearer('users'),
        event: [{ listen: 'test', script: { exec: 'check()' } }],
        item: [
          { name: 'Get', request: { method: 'get', url: 'https://x.test/u' } },
          { name: 'Own', request: { ...get, auth: { type: 'basic', basic: rows({ username: 'u' }) } } }
        ]
      },
      { name: 'Root', request: 'https://x.test' }
    ]
  })
  const { tree } = imported
  assert.equal(outline(tree), [
    'README.md',
    'Users',
    'Users / README.md',
    'Users / Folder settings.md',
    'Users / GET Get',
    'Users / GET Own',
    'GET Root'
  ])
  assert.is(documentIn(tree, 'README.md'), 'About it.')
  assert.equal([requestIn(tree, 'Get').auth.bearer.token, requestIn(tree, 'Own').auth.basic.username], ['users', 'u'])
  assert.is(requestIn(tree, 'Root').auth.type, 'none')
  assert.is(tree.settings.auth.bearer.token, 'all')
  assert.is(tree.settings.preRequestScript, 'one()\ntwo()')
  assert.equal(valuesOf(tree.settings.variables), ['a=1', '~b=x'])
  assert.match(documentIn(tree, 'Folder settings.md'), 'check()')
  assert.ok(whats(imported).some((what) => what.startsWith('Scripts and variables of a folder')))
})

test('Postman: queries, headers, bodies, examples, and what cannot be carried over', () => {
  const imported = read({
    info,
    item: [
      {
        name: 'Save',
        event: [{ listen: 'test', script: { exec: ['ok()'] } }],
        request: {
          method: 'POST',
          description: 'Saves.',
          header: [
            { key: 'A', value: '1' },
            { key: 'B', value: '2', disabled: true, description: 'why' }
          ],
          url: {
            raw: '{{h}}/s/:id?q=%7B1%7D',
            query: [
              { key: 'q', value: '%7B1%7D' },
              { key: 'off', value: '1', disabled: true }
            ],
            variable: [{ key: 'id', value: '7' }]
          },
          body: {
            mode: 'formdata',
            formdata: [
              { key: 'f', type: 'file', src: '/etc/passwd' },
              { key: 't', value: 'v', type: 'text' }
            ]
          }
        },
        response: [{ name: 'Fine', code: 201, status: 'Created', header: [{ key: 'X', value: 'y' }], body: '{"a":1}' }]
      },
      { name: 'Odd', request: { ...get, method: 'PROPFIND' } },
      { name: 'Digest', request: { ...get, auth: { type: 'digest', digest: [] } } },
      {
        name: 'Key',
        request: { ...get, auth: { type: 'apikey', apikey: rows({ key: 'k', value: 'v', in: 'query' }) } }
      },
      { name: 'Xml', request: { ...post, body: { mode: 'raw', raw: '<a/>', options: { raw: { language: 'xml' } } } } }
    ]
  })
  const { tree } = imported
  const save = requestIn(tree, 'Save')
  assert.equal([save.url, save.params], ['{{h}}/s/:id?q=%7B1%7D', [off('off', '1')]])
  assert.equal([save.headers, save.postRequestScript, save.comment], [[on('A', '1'), off('B', '2')], 'ok()', 'Saves.'])
  assert.equal(JSON.parse(save.body), [
    { key: 'f', value: '', enabled: true, type: 'file', files: [] },
    { key: 't', value: 'v', enabled: true, type: 'text', files: [] }
  ])
  const example = { name: 'Fine', status: 201, reason: 'Created', headers: [{ key: 'X', value: 'y' }], body: '{"a":1}' }
  assert.equal(examplesIn(documentIn(tree, 'Save examples.md')), [example])
  assert.is(requestIn(tree, 'Key').url, 'https://x.test?k=v')
  assert.equal(
    [requestIn(tree, 'Xml').bodyType, requestIn(tree, 'Xml').headers],
    ['text', [on('Content-Type', 'application/xml')]]
  )
  assert.not.ok(outline(tree).some((one) => one.includes('Odd')))
  const told = whats(imported).join('\n')
  for (const what of ['PROPFIND', 'digest', 'API key', 'Which file', 'Descriptions of single']) assert.match(told, what)
  assert.not.match(JSON.stringify(tree), 'passwd')
})

test('Postman 2.0 and what its interface answers with are read too', () => {
  const auth = { type: 'basic', basic: { username: 'u', password: 'p' } }
  const collection = { info: { ...info, schema: SCHEMA.replace('v2.1', 'v2.0') }, auth, item: [] }
  assert.equal(read({ collection }).tree.settings.auth.basic, { username: 'u', password: 'p' })
})

const openApi = `openapi: 3.0.3
info: {title: Pets, version: '1', description: All about pets.}
servers: [{url: 'https://{region}.pets.test/v1/', variables: {region: {default: eu}}}]
security: [{key: []}]
tags: [{name: pet, description: The pets.}]
paths:
  /pets/{petId}:
    parameters: [{$ref: '#/components/parameters/id'}]
    get:
      tags: [pet]
      summary: Get a pet
      description: Just one.
      parameters:
        - {name: verbose, in: query, schema: {type: boolean}}
        - {name: 'a b', in: query, required: true, example: 'x y'}
        - {name: X-Trace, in: header, schema: {type: string, default: on}}
        - {name: sid, in: cookie, schema: {type: string}}
      responses:
        '200': {description: A pet, content: {application/json: {example: {name: Rex}}}}
        default: {$ref: 'http://evil.test/x.yaml#/no'}
    post:
      security: [{login: []}]
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          application/xml: {schema: {$ref: './other.yaml'}}
      responses: {}
    trace: {responses: {}}
components:
  parameters: {id: {name: petId, in: path, required: true, schema: {type: integer}}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    login: {type: http, scheme: basic}
  schemas:
    Pet:
      type: object
      properties:
        name: {type: string, example: Rex}
        id: {type: integer, readOnly: true}
        friend: {$ref: '#/components/schemas/Pet'}
        tags: {type: array, items: {type: string, enum: [good, bad]}}
        born: {type: string, format: date}
`

test('OpenAPI: operations in folders of their tags, with samples, security and examples', () => {
  const imported = read(openApi)
  const { tree } = imported
  assert.is(imported.format, 'openapi')
  assert.equal(outline(tree), [
    'README.md',
    'pet',
    'pet / README.md',
    'pet / GET Get a pet',
    'pet / Get a pet examples.md',
    'POST POST /pets/{petId}'
  ])
  const variables = ['baseUrl=https://eu.pets.test/v1', 'apiKey=', 'username=', 'password=']
  assert.equal(valuesOf(tree.settings.variables), variables)
  assert.equal(tree.settings.headers, [on('X-Key', '{{apiKey}}')])
  const get = requestIn(tree, 'Get a pet')
  assert.equal([get.url, get.params], ['{{baseUrl}}/pets/{{petId}}?a%20b=x%20y', [off('verbose', '')]])
  assert.equal([get.headers, get.comment], [[off('X-Trace', 'on')], 'Just one.'])
  const post = requestIn(tree, 'POST /pets/{petId}')
  assert.equal(JSON.parse(post.body), { name: 'Rex', friend: null, tags: ['good'], born: '2026-01-31' })
  assert.equal(post.auth, {
    type: 'basic',
    basic: { username: '{{username}}', password: '{{password}}' },
    bearer: { token: '' }
  })
  const told = whats(imported).join('\n')
  for (const what of ['TRACE', 'several types of body', 'Cookies', 'leads out of the document'])
    assert.match(told, what)
})

test('Swagger 2: its bodies, forms and addresses', () => {
  const { tree } = read({
    swagger: '2.0',
    ...{ info: { title: 'Old' }, host: 'old.test', basePath: '/api', schemes: ['http'] },
    paths: {
      '/a': {
        post: {
          consumes: ['application/x-www-form-urlencoded'],
          parameters: [
            { name: 'x', in: 'formData', type: 'string', required: true },
            { name: 'n', in: 'formData', type: 'integer' }
          ],
          responses: { 200: { description: 'ok', examples: { 'application/json': { a: 1 } } } }
        },
        put: {
          parameters: [{ name: 'b', in: 'body', schema: { type: 'object', properties: { a: { type: 'integer' } } } }],
          responses: {}
        }
      }
    }
  })
  assert.is(tree.settings.variables[0]?.value, 'http://old.test/api')
  assert.equal(JSON.parse(requestIn(tree, 'POST /a').body), [on('x', 'string'), { ...off('n', '0') }])
  assert.equal(JSON.parse(requestIn(tree, 'PUT /a').body), { a: 0 })
  assert.ok(documentIn(tree, 'POST /a examples.md').includes('"a": 1'))
})

test('Insomnia 4: groups, environments, templates', () => {
  const imported = read({
    ...{ _type: 'export', __export_format: 4 },
    resources: [
      { _id: 'w', _type: 'workspace', name: 'W', parentId: null },
      { _id: 'e', _type: 'environment', parentId: 'w', data: { base_url: 'https://x.test', deep: { a: 1 } } },
      { _id: 'e2', _type: 'environment', parentId: 'e', data: {} },
      { _id: 'g', _type: 'request_group', parentId: 'w', name: 'G', metaSortKey: 2 },
      {
        ...{ _id: 'r', _type: 'request', parentId: 'g', name: 'R', method: 'POST', url: '{{ _.base_url }}/r' },
        parameters: [
          { name: 'q', value: '{{ _.deep.a }}' },
          { name: 'o', value: '1', disabled: true }
        ],
        ...{
          body: { mimeType: 'application/json', text: '{"a": 1}' },
          authentication: { type: 'bearer', token: '{{ _.t }}' }
        }
      },
      { ...get, _id: 's', _type: 'request', parentId: 'w', name: 'First', metaSortKey: 1 },
      { _id: 'ws', _type: 'websocket_request', parentId: 'w', name: 'Socket', url: 'wss://x.test' }
    ]
  })
  const { tree } = imported
  assert.equal(outline(tree), ['GET First', 'G', 'G / POST R'])
  const { url, params, auth, bodyType } = requestIn(tree, 'R')
  assert.equal(
    [url, params, auth.bearer.token, bodyType],
    ['{{base_url}}/r?q={{deep.a}}', [off('o', '1')], '{{t}}', 'json']
  )
  assert.equal(valuesOf(tree.settings.variables), ['base_url=https://x.test', 'deep.a=1'])
  assert.match(whats(imported).join('\n'), 'Only HTTP requests')
})

test('Insomnia 5: a tree in YAML', () => {
  const { tree } = read(`type: collection.insomnia.rest/5.0
name: Five
meta: {id: wrk_1}
collection:
  - name: Folder
    meta: {id: fld_1, sortKey: 2}
    children:
      - {url: 'https://x.test/a', name: A, method: PUT, meta: {id: req_1, description: Why}, scripts: {afterResponse: done()}}
  - {url: 'https://x.test/b', name: B, method: GET, meta: {id: req_2, sortKey: 1}}
environments: {name: Base, data: {k: v}}
`)
  assert.equal(outline(tree), ['GET B', 'Folder', 'Folder / PUT A'])
  assert.equal(
    [tree.sourceId, requestIn(tree, 'A').comment, requestIn(tree, 'A').postRequestScript],
    ['wrk_1', 'Why', 'done()']
  )
})

const bru = `meta {
  name: Get user
  type: http
  seq: 2
}

get {
  url: {{base}}/users/:id?a=1
  body: json
  auth: inherit
}

params:query {
  a: 1
  ~b: 2
}

headers {
  X-Long: '''
    one
    two
  '''
  "odd:key": v
}

body:json {
  {
    "a": "}"
  }
}

script:post-response {
  if (ok) {
    done()
  }
}

tests {
  test("it", () => {})
}

docs {
  # Users
}
`

test('Bruno: a folder as a zip archive, and its export as JSON, say the same', () => {
  const files = {
    'pets/bruno.json': strToU8('{"version":"1","name":"Pets"}'),
    'pets/collection.bru': strToU8(
      'headers {\n  A: b\n}\n\nauth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: t\n}\n\nvars:pre-request {\n  base: https://x.test\n}\n'
    ),
    'pets/users/folder.bru': strToU8('meta {\n  name: Users\n  seq: 1\n}\n'),
    'pets/users/get.bru': strToU8(bru),
    'pets/users/first.bru': strToU8(
      'meta {\n  name: First\n  seq: 1\n}\n\npost {\n  url: https://x.test\n  body: none\n  auth: none\n}\n'
    ),
    'pets/users/notes.md': strToU8('# Notes'),
    'pets/environments/dev.bru': strToU8('vars {\n  a: 1\n}\n')
  }
  const imported = readCollection(zipSync(files))
  const { tree } = imported
  assert.equal([imported.format, tree.name], ['bruno', 'Pets'])
  assert.equal(outline(tree), ['Users', 'Users / POST First', 'Users / GET Get user', 'Users / notes.md'])
  assert.equal([tree.settings.headers, tree.settings.auth.bearer.token], [[on('A', 'b')], 't'])
  const { url, params, headers, body, postRequestScript, comment } = requestIn(tree, 'Get user')
  assert.equal([url, params], ['{{base}}/users/:id?a=1', [off('b', '2')]])
  assert.equal(headers, [on('X-Long', 'one\ntwo'), on('odd:key', 'v')])
  assert.equal([body, comment], ['{\n  "a": "}"\n}', '# Users'])
  assert.is(postRequestScript, 'if (ok) {\n  done()\n}\n\n// tests\ntest("it", () => {})')
  assert.is(imported.environments[0]?.name, 'dev')
  const auth = { mode: 'basic', basic: { username: 'u', password: 'p' } }
  const request = { ...get, body: { mode: 'text', text: 'hi' }, auth }
  const json = read({ name: 'Pets', version: '1', items: [{ type: 'http', name: 'J', request }] })
  assert.equal(
    [json.format, requestIn(json.tree, 'J').auth.basic.username, requestIn(json.tree, 'J').body],
    ['bruno', 'u', 'hi']
  )
})

test('an HTTP Archive: what was sent, its authentication, and what it answered', () => {
  const sent = Object.entries({ ':authority': 'x', Host: 'x', Authorization: 'Bearer t' })
  const entry = (url: string, more: object = {}) => ({
    request: { method: 'POST', url, headers: sent.map(([name, value]) => ({ name, value })), ...more },
    response: { status: 200, statusText: 'OK', headers: [], content: { text: 'hi' } }
  })
  const postData = { mimeType: 'application/x-www-form-urlencoded', text: 'k=v+w&l=%C3%A9' }
  const entries = [{ ...entry('https://x.test/a?b=1', { postData }), pageref: 'p' }, entry('https://x.test/c')]
  const { tree } = read({ log: { pages: [{ id: 'p', title: 'Page' }], entries } })
  assert.equal(outline(tree), [
    'Page',
    'Page / POST POST /a',
    'Page / POST /a examples.md',
    'POST POST /c',
    'POST /c examples.md'
  ])
  const { headers, auth, body } = requestIn(tree, 'POST /a')
  assert.equal([headers, auth.bearer.token], [[], 't'])
  assert.equal(JSON.parse(body), [on('k', 'v w'), on('l', 'é')])
})

test('lines that call curl: quotes of every kind, forms, data, options that say nothing', () => {
  const imported = read(String.raw`# what a browser copies
curl 'https://x.test/a?b=1' \
  -H 'accept: */*' --compressed -u me:secret \
  --data-raw $'{"a":"it\'s \u00e9"}' -k
curl -sSLX PUT https://x.test/b -F 'f=@/etc/passwd' -F "g=\"x\""; curl -G https://x.test/c -d a=1 --data-urlencode 'q=x y'
curl https://x.test/d -d 'a=1&b=two+words' -Hx:y
not-curl https://x.test`)
  const { tree } = imported
  assert.equal(outline(tree), ['POST POST /a', 'PUT PUT /b', 'GET GET /c', 'POST POST /d'])
  const a = requestIn(tree, 'POST /a')
  assert.equal(
    [a.url, a.body, a.bodyType, a.auth.basic],
    ['https://x.test/a?b=1', '{"a":"it\'s é"}', 'json', { username: 'me', password: 'secret' }]
  )
  assert.equal(JSON.parse(requestIn(tree, 'PUT /b').body)[1].value, '"x"')
  assert.is(requestIn(tree, 'GET /c').url, 'https://x.test/c?a=1&q=x%20y')
  const d = requestIn(tree, 'POST /d')
  assert.equal([JSON.parse(d.body), d.headers], [[on('a', '1'), on('b', 'two words')], [on('x', 'y')]])
  assert.not.match(JSON.stringify(tree), 'passwd')
})

test('names are made such as the hub takes, and what was changed is told', () => {
  const imported = read({
    info: { ...info, name: ' ' },
    item: [
      { name: 'x'.repeat(600), request: 'https://x.test' },
      { name: '', request: 'https://x.test/n\0' }
    ]
  })
  assert.is(imported.tree.name, 'Imported collection')
  const names = [...itemsOf(imported.tree.items)].flatMap(({ item }) =>
    item.kind === 'request' ? [item.content.name.length] : []
  )
  assert.equal(names, [499, 'GET https://x.test/n'.length])
  assert.match(whats(imported).join('\n'), 'longer than 500 characters')
})

test('Postman: a collection that names no schema is one all the same', () => {
  const { format, tree } = read({ info: { name: 'API' }, item: [{ name: 'One', request: 'https://x.test' }] })
  assert.equal([format, outline(tree)], ['postman', ['GET One']])
})

test('Postman: what a question to GraphQL names is kept', () => {
  const body = { mode: 'graphql', graphql: { query: 'query A { a }', operationName: 'A', variables: '' } }
  const { tree } = read({ info, item: [{ name: 'One', request: { ...post, body } }] })
  assert.equal(JSON.parse(requestIn(tree, 'One').body), { query: 'query A { a }', operationName: 'A', variables: {} })
})

test('OpenAPI: servers of single operations, methods that are not here, and lists in queries', () => {
  const parameters = [{ name: 'tag', in: 'query', required: true, schema: { type: 'array', items: { enum: ['a'] } } }]
  const imported = read({
    ...{ openapi: '3.2.0', info: { title: 'T' } },
    paths: {
      '/a': { get: { summary: 'One', servers: [{ url: 'https://y.test' }], parameters } },
      '/b': { servers: [{ url: 'https://y.test' }], get: {}, query: {}, additionalOperations: { BREW: {} } }
    }
  })
  assert.is(requestIn(imported.tree, 'One').url, '{{baseUrl}}/a?tag=a')
  assert.equal(
    imported.notes.map(({ what, count }) => [what, count]),
    [
      ['A server of single requests is not carried over: they are sent where the others are.', 2],
      ['Requests with the method QUERY are left out: there is none here.', 1],
      ['Requests with the method BREW are left out: there is none here.', 1]
    ]
  )
})

test('OpenAPI: a field of a form may be called as what every object has', () => {
  const schema = { type: 'object', properties: { constructor: { type: 'string', example: 'Ferrari' } } }
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema } } }
  const paths = { '/a': { post: { summary: 'One', requestBody } } }
  const { tree } = read({ openapi: '3.0.0', info: { title: 'T' }, paths })
  assert.equal(JSON.parse(requestIn(tree, 'One').body), [on('constructor', 'Ferrari')])
})

test('Insomnia: several workspaces in one export, and unit tests, are told', () => {
  const request = (id: string) => ({ ...get, _id: `r${id}`, _type: 'request', parentId: id, name: id })
  const resources = [
    { _id: 'a', _type: 'workspace', name: 'A' },
    { _id: 'b', _type: 'workspace', name: 'B' },
    ...[request('a'), request('b'), { _id: 's', _type: 'unit_test_suite', parentId: 'a', name: 'Tests' }]
  ]
  assert.equal(whats(read({ _type: 'export', resources })), [
    'Of several workspaces in one file one collection is made.',
    'Unit tests are not carried over.'
  ])
  const five = { type: 'collection.insomnia.rest/5.0', name: 'A', collection: [], testSuites: [{ name: 'Tests' }] }
  assert.equal(whats(read(five)), ['Unit tests are not carried over.'])
})

test('Insomnia: what is called twice or by nothing is there, and groups that are in each other are told', () => {
  const request = (name: string, more: object) => ({ ...get, _type: 'request', name, ...more })
  const group = (_id: string, parentId: string) => ({ _id, _type: 'request_group', name: _id, parentId })
  const all = read({
    _type: 'export',
    resources: [
      { _id: 'w', _type: 'workspace', name: 'W' },
      ...[request('one', { _id: 'r', parentId: 'w' }), request('two', { _id: 'r', parentId: 'w' })],
      ...[request('three', { parentId: 'w' }), request('four', { parentId: 'w' })],
      ...[group('g', 'w'), group('g', 'g'), request('five', { _id: 'f', parentId: 'g' })],
      ...[group('a', 'b'), group('b', 'a'), request('six', { _id: 's', parentId: 'b' })]
    ]
  })
  assert.equal(outline(all.tree), ['GET one', 'GET two', 'GET three', 'GET four', 'g', 'g / g', 'g / GET five'])
  assert.equal(all.notes, [
    { what: 'What is in no folder that the workspace leads to is left out.', count: 3, places: ['a', 'b', 'six'] }
  ])
})

test('Insomnia: settings, cookies and descriptions of single rows are told', () => {
  const described = [{ name: 'a', value: 'b', description: 'Why' }]
  const notes = [
    'Settings of how requests are sent (redirects, cookies, encoding) are not carried over.',
    'Descriptions of single headers, parameters and fields are not carried over.',
    'Cookies that were kept are not carried over.'
  ].toSorted()
  const old = {
    ...{ ...get, _id: 'r', _type: 'request', name: 'R', parentId: 'w', headers: described },
    ...{ settingStoreCookies: true, settingEncodeUrl: false }
  }
  const jar = { cookies: [{ key: 'session', value: 'secret' }] }
  const resources = [{ _id: 'w', _type: 'workspace' }, old, { ...jar, _id: 'j', _type: 'cookie_jar', parentId: 'w' }]
  assert.equal(whats(read({ _type: 'export', resources })).toSorted(), notes)
  const cookies = { send: true, store: true }
  const settings = { renderRequestBody: true, encodeUrl: true, followRedirects: 'off', cookies }
  const body = { mimeType: 'multipart/form-data', params: described }
  const five = { type: 'collection.insomnia.rest/5.0', name: 'A', cookieJar: jar }
  const request = { ...get, name: 'R' }
  assert.equal(whats(read({ ...five, collection: [{ ...request, settings, body }] })).toSorted(), notes)
  const headers = [{ name: 'a', description: '' }]
  const usual = { ...request, settings: { ...settings, followRedirects: 'global' }, headers }
  assert.equal(whats(read({ ...five, cookieJar: { cookies: [] }, collection: [usual] })), [])
})

test('the examples of a request whose name has blanks around it are found by it', () => {
  const response = [{ name: 'Ok', code: 200, body: 'x' }]
  const { tree } = read({ info, item: [{ name: ' Get it ', request: 'https://x.test', response }] })
  assert.equal(outline(tree), ['README.md', 'GET Get it', 'Get it examples.md'])
})

test('the type of a single field of a form is told by every format that has one', () => {
  const told = ['The type of a single field of a form is not carried over.']
  const typed = { value: '{}', type: 'text', contentType: 'application/json' }
  const body = { mode: 'formdata', formdata: [{ ...typed, key: 'a' }] }
  assert.equal(whats(read({ info, item: [{ name: 'One', request: { ...post, body } }] })), told)
  const multipartForm = [{ ...typed, name: 'a' }]
  const request = { ...post, body: { mode: 'multipartForm', multipartForm } }
  assert.equal(whats(read({ name: 'C', version: '1', items: [{ type: 'http', name: 'One', request }] })), told)
  const params = [{ ...typed, name: 'a' }]
  const sent = { ...post, postData: { mimeType: 'multipart/form-data', params } }
  assert.equal(whats(read({ log: { entries: [{ request: sent }] } })), told)
})

test('Bruno: the type of a field is told wherever it stands, and a text that begins as a file does is one', () => {
  const imported = read(`meta {
  name: F
}

post {
  url: https://x.test
  body: multipart-form
}

body:multipart-form {
  near: a@contentType(text/plain)
  long: '''
    one
    two
  ''' @contentType(text/plain)
  file: @file(/etc/x) @contentType(text/plain)
  text: @file(open
}
`)
  const rows: readonly { readonly value: string; readonly type: string }[] = JSON.parse(
    requestIn(imported.tree, 'F').body
  )
  assert.equal(
    rows.map(({ value, type }) => [value, type]),
    [
      ['a', 'text'],
      ['one\ntwo', 'text'],
      ['', 'file'],
      ['@file(open', 'text']
    ]
  )
  assert.equal(
    imported.notes.map(({ what, count }) => [what, count]),
    [
      ['The type of a single field of a form is not carried over.', 2],
      ['Which file a field of a form sends is not carried over; the field is.', 1]
    ]
  )
})

test('Bruno: variables that answers set are told of collections and folders as of requests', () => {
  const root = { request: { vars: { res: [{ name: 'id', value: 'res.body.id' }] } } }
  const { notes } = read({ name: 'C', version: '1', root, items: [{ type: 'folder', name: 'F', root, items: [] }] })
  assert.equal(notes, [
    { what: 'Variables that are set from answers are not carried over.', count: 2, places: ['the collection', 'F'] }
  ])
})

test('what other tools call requests and folders is no collection of Postman 1', () => {
  const thunder = { clientName: 'Thunder Client', folders: [], requests: [{ _id: 'a', url: 'https://x.test' }] }
  const hoppscotch = { v: 1, name: 'H', folders: [], requests: [{ name: 'R', endpoint: 'https://x.test' }] }
  for (const content of [thunder, hoppscotch]) assert.throws(() => read(content), /of no format that can be told/)
})

test('Postman 1: requests without an id are there all the same', () => {
  const requests = [
    { ...get, id: 'a', name: 'A' },
    { ...get, name: 'B' },
    { ...get, name: 'C' }
  ]
  const { tree } = read({ name: 'Old', order: ['a'], requests })
  assert.equal(outline(tree), ['GET A', 'GET B', 'GET C'])
})

test('Insomnia: filters of variables are told, as template tags are', () => {
  const request = { ...get, _id: 'r', _type: 'request', name: 'R', url: 'https://x.test/{{ _.a | upper }}' }
  assert.equal(whats(read({ _type: 'export', resources: [request] })), [
    'Filters of variables ({{ … | … }}) stay as they are: nothing here applies them.'
  ])
})

test('Postman 1: folders that the collection names in no order stand where a folder names them', () => {
  const request = { ...get, id: 'r', name: 'R' }
  const folders = [
    { id: 'in', name: 'In', order: ['r'] },
    { id: 'out', name: 'Out', folders_order: ['in'] }
  ]
  assert.equal(outline(read({ name: 'Old', folders, requests: [request] }).tree), [
    'Out',
    'Out / In',
    'Out / In / GET R'
  ])
})

test('a request without a name is called by where it goes, and by nothing of its URL that may be a secret', () => {
  const request = { method: 'GET', url: 'https://ada:secret@x.test/a?key=secret#secret' }
  const file = { info: { name: 'P', _postman_id: 'p' }, item: [{ name: ' ', request }] }
  const [one] = requestsIn(readCollection(Buffer.from(JSON.stringify(file))).tree)
  assert.equal([one?.name, one?.url], ['GET https://x.test/a', request.url])
})

test('secrets among the headers and variables of a folder are in no document, where everybody would find them', () => {
  const left = 'Secrets among the headers and variables of a folder are left out: what a document says is searched.'
  const header = (name: string, value: string) => ({ name, value })
  const headers = [
    header('X-Api-Key', 's3cret'),
    header('Authorization', 'Bearer {{token}}'),
    header('X-Tenant', 'one')
  ]
  const insomnia = {
    ...{ type: 'collection.insomnia.rest/5.0', name: 'N' },
    collection: [{ name: 'F', headers, environment: { password: 's3cret', host: 'h' }, children: [] }]
  }
  const variable = [
    { key: 'pin', value: 's3cret', type: 'secret' },
    { key: 'host', value: 'h' }
  ]
  const postman = { info, item: [{ name: 'F', variable, item: [] }] }
  for (const [file, kept] of [
    [insomnia, ['X-Api-Key: \n', 'Authorization: Bearer {{token}}', 'X-Tenant: one', 'password=\n', 'host=h']],
    [postman, ['pin=\n', 'host=h']]
  ] as const) {
    const imported = read(file)
    const text = documentIn(imported.tree, 'Folder settings.md')
    for (const one of kept) assert.match(text, one)
    assert.not.match(JSON.stringify(imported), 's3cret')
    assert.ok(whats(imported).includes(left))
  }
})

test.run()
