import type { OpenCollection } from '@opencollection/types'
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { stringify } from 'yaml'
import { examplesIn } from '../../src/records/formats/examples.js'
import { readImport } from '../../src/records/import/formats.js'
import { suite } from '../support/suite.js'
import { documentIn, off, on, outline, readCollection, requestIn, valuesOf, whats } from './read.js'

const test = suite('files of OpenCollection')

const shop: OpenCollection = {
  opencollection: '1.0.0',
  info: { name: 'Shop', version: '1' },
  config: {
    environments: [
      {
        name: 'Dev',
        variables: [
          { name: 'base', value: 'https://dev.test' },
          { secret: true, name: 'token' }
        ]
      },
      {
        name: 'Prod',
        extends: 'Dev',
        variables: [
          {
            name: 'base',
            value: [
              { title: 'A', value: 'a' },
              { title: 'B', selected: true, value: { type: 'string', data: 'b' } }
            ]
          },
          { name: 'off', value: '1', disabled: true }
        ]
      }
    ]
  },
  docs: { content: 'A shop.', type: 'text/markdown' },
  request: {
    headers: [{ name: 'X-All', value: '1' }],
    auth: { type: 'bearer', token: 't' },
    variables: [{ name: 'base', value: 'https://x.test' }],
    scripts: [{ type: 'before-request', code: 'begin()' }]
  },
  items: [
    {
      info: { name: 'Orders', type: 'folder', seq: 1 },
      docs: 'All orders.',
      request: { auth: { type: 'basic', username: 'u', password: 'p' } },
      items: [
        {
          info: { name: 'Get', type: 'http', seq: 1, tags: ['smoke'] },
          http: {
            method: 'GET',
            url: '{{base}}/orders/:id?a=1',
            headers: [
              { name: 'A', value: 'b' },
              { name: 'B', value: 'c', disabled: true, description: 'why' }
            ],
            params: [
              { name: 'a', value: '1', type: 'query' },
              { name: 'b', value: '2', type: 'query', disabled: true },
              { name: 'id', value: '7', type: 'path' }
            ],
            auth: 'inherit'
          },
          runtime: {
            scripts: [
              { type: 'after-response', code: 'after()' },
              { type: 'tests', code: 'check()' },
              { type: 'hooks', code: 'hook()' }
            ],
            assertions: [{ expression: 'res.status', operator: 'eq', value: '200' }]
          },
          settings: { followRedirects: false },
          docs: 'One order.',
          examples: [
            {
              name: 'There',
              response: {
                ...{ status: 200, statusText: 'OK', headers: [{ name: 'X', value: 'y' }] },
                body: { type: 'json', data: '{}' }
              }
            }
          ]
        }
      ]
    },
    {
      info: { name: 'Create', type: 'http', seq: 2 },
      http: {
        method: 'POST',
        url: '{{base}}/orders',
        body: [
          { title: 'no', body: { type: 'text', data: 'no' } },
          { title: 'yes', selected: true, body: { type: 'json', data: '{"a": 1}' } }
        ]
      }
    },
    {
      info: { name: 'Form', type: 'http', seq: 3 },
      http: {
        method: 'POST',
        url: '{{base}}/form',
        body: {
          type: 'multipart-form',
          data: [
            { name: 't', type: 'text', value: 'v' },
            { name: 'f', type: 'file', value: ['/etc/passwd'] }
          ]
        },
        auth: { type: 'apikey', key: 'k', value: 'v', placement: 'query' }
      }
    },
    {
      info: { name: 'Ask', type: 'graphql', seq: 4 },
      graphql: { url: '{{base}}/gql', method: 'POST', body: { query: '{ a }', variables: '{"b": 1}' } }
    },
    { info: { name: 'Stream', type: 'websocket', seq: 5 }, websocket: { url: 'wss://x.test' } }
  ],
  bundled: true
}

function isShop({ format, tree, environments, notes }: ReturnType<typeof readCollection>): void {
  assert.equal([format, tree.name], ['opencollection', 'Shop'])
  assert.equal(outline(tree), [
    'README.md',
    'Orders',
    'Orders / README.md',
    'Orders / GET Get',
    'Orders / Get examples.md',
    'POST Create',
    'POST Form',
    'POST Ask'
  ])
  const { settings } = tree
  assert.equal([settings.headers, settings.auth.bearer.token], [[on('X-All', '1')], 't'])
  assert.equal([settings.preRequestScript, settings.variables.map(({ key }) => key)], ['begin()', ['base', 'id']])
  const get = requestIn(tree, 'Get')
  assert.equal([get.url, get.params], ['{{base}}/orders/:id?a=1', [off('b', '2')]])
  assert.equal([get.headers, get.comment], [[on('A', 'b'), off('B', 'c')], 'One order.'])
  assert.equal([get.auth.type, get.auth.basic.username], ['basic', 'u'])
  assert.is(get.postRequestScript, 'after()\n\n// tests\ncheck()')
  const example = { name: 'There', status: 200, reason: 'OK', headers: [{ key: 'X', value: 'y' }], body: '{}' }
  assert.equal(examplesIn(documentIn(tree, 'Get examples.md')), [example])
  assert.equal([requestIn(tree, 'Create').bodyType, requestIn(tree, 'Create').body], ['json', '{"a": 1}'])
  assert.is(requestIn(tree, 'Form').url, '{{base}}/form?k=v')
  assert.is(requestIn(tree, 'Ask').body, '{"query":"{ a }","variables":{"b":1}}')
  assert.equal(
    environments.map(({ name, parent, variables }) => [name, parent, ...valuesOf(variables)]),
    [
      ['Dev', null, 'base=https://dev.test', 'token*='],
      ['Prod', 'Dev', 'base=b', '~off=1']
    ]
  )
  const told = whats({ notes }).join('\n')
  const all = ['Tags', 'Hooks', 'Assertions', 'Settings of how', 'Descriptions of single']
  for (const what of [...all, 'Of several bodies', 'Which file', 'API key', 'Only HTTP']) assert.match(told, what)
  assert.not.match(JSON.stringify(tree), 'passwd')
}

test('one file, in YAML or JSON: folders, requests, examples, scripts, environments, and what cannot be carried over', () => {
  for (const text of [stringify(shop), JSON.stringify(shop)]) isShop(readCollection(Buffer.from(text)))
})

/** The same as the directory that it stands in, with the file of its root or without. */
function directory({ config, items = [], ...root }: OpenCollection): Record<string, unknown> {
  const [orders, ...others] = items
  const { items: [get] = [], ...folder } = orders && 'items' in orders ? orders : {}
  const named = others.map((one, i) => [`${i}.yml`, one] as const)
  return {
    'opencollection.yml': { ...root, bundled: false },
    'environments/Dev.yml': config?.environments?.[0],
    'environments/Prod.yml': config?.environments?.[1],
    'orders/folder.yml': folder,
    'orders/get.yml': get,
    ...Object.fromEntries(named)
  }
}

const zipped = (files: Readonly<Record<string, unknown>>, base = '') =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, one]) => [`${base}${path}`, strToU8(stringify(one))])))

test('a directory as an archive, wherever in it the collection is', () => {
  for (const base of ['', 'repository/api/']) isShop(readCollection(zipped(directory(shop), base)))
})

test('a directory without the file of its root is told by its requests, and called after its folder', () => {
  const { 'opencollection.yml': _, ...files } = directory(shop)
  const { format, tree, environments } = readCollection(zipped(files, 'shop/'))
  assert.equal([format, tree.name, environments.length], ['opencollection', 'shop', 2])
  assert.ok(outline(tree).includes('Orders / GET Get'))
})

test('a single request is a collection of it, and an environment is one', () => {
  const { tree } = readCollection(Buffer.from(stringify(shop.items?.[1])))
  assert.equal([tree.name, outline(tree)], ['Create', ['POST Create']])
  const { format, tree: none, environments } = readImport(Buffer.from(stringify(shop.config?.environments?.[0])))
  assert.equal([format, none, environments.map(({ name }) => name)], ['opencollection', null, ['Dev']])
})

test('documents stand beside requests in a directory, and what is neither is named', () => {
  const files = { ...directory(shop), 'orders/notes.md': 'x', 'lib.js': 'y', 'other.yml': { a: 1 } }
  const { tree, notes } = readCollection(zipped(files))
  assert.ok(outline(tree).includes('Orders / notes.md'))
  const [left] = notes.filter(({ what }) => what.startsWith('Files of a collection that are neither'))
  assert.equal(left?.places, ['lib.js', 'other.yml'])
})

test.run()
