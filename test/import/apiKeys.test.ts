import * as assert from 'uvu/assert'
import type { RequestFields } from '../../src/records/formats/model.js'
import { suite } from '../support/suite.js'
import { type CollectionRead, readCollection, requestsIn, valuesOf, whats } from './read.js'

const test = suite('API keys, and requests that opt out')

const read = (content: unknown): CollectionRead => readCollection(Buffer.from(JSON.stringify(content)))
/** What each request sends beside its collection: its URL, and its headers. */
const sent = ({ tree }: CollectionRead) => requestsIn(tree).map(told)
const told = ({ url, headers }: RequestFields) =>
  [url, ...headers.map(({ key, value }) => `${key}: ${value}`)].join(' ')

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const rows = (of: object) => Object.entries(of).map(([key, value]) => ({ key, value }))
const key = (place: string) => ({ type: 'apikey', apikey: rows({ key: 'k', value: 'v', in: place }) })
const bearer = { type: 'bearer', bearer: rows({ token: 't' }) }
const one = (more: object = {}) => ({ name: 'One', request: { method: 'GET', url: 'https://x.test/?a=1', ...more } })

test('Postman: one that a collection sends in the query is in that of each request that has no other', () => {
  const item = [one(), { name: 'Folder', item: [one()] }, one({ auth: { type: 'noauth' } }), one({ auth: bearer })]
  const all = read({ info: { name: 'C', schema }, auth: key('query'), item })
  assert.equal(sent(all).toSorted(), [
    'https://x.test/?a=1',
    'https://x.test/?a=1',
    'https://x.test/?a=1&k=v',
    'https://x.test/?a=1&k=v'
  ])
})

test('Postman: a folder that opts out of authentication is told', () => {
  const all = read({
    info: { name: 'C', schema },
    auth: bearer,
    item: [{ name: 'F', auth: { type: 'noauth' }, item: [one()] }]
  })
  assert.equal(whats(all), ['A request that opts out of authentication uses that of its collection.'])
})

test('Bruno: one that a collection sends in the query is in that of each request that inherits it', () => {
  const root = { request: { auth: { mode: 'apikey', apikey: { key: 'k', value: 'v', placement: 'queryparams' } } } }
  const request = (mode: string) => ({ type: 'http', name: mode, request: { url: 'https://x.test', auth: { mode } } })
  const all = read({ name: 'C', version: '1', root, items: [request('inherit'), request('none')] })
  assert.equal(sent(all), ['https://x.test?k=v', 'https://x.test'])
})

test('Insomnia: one that is a cookie is sent as one', () => {
  const authentication = { type: 'apikey', key: 'k', value: 'v', addTo: 'cookie' }
  const request = { ...{ _id: 'r', _type: 'request', name: 'R', method: 'GET' }, url: 'https://x.test', authentication }
  assert.equal(sent(read({ _type: 'export', resources: [request] })), ['https://x.test Cookie: k=v'])
})

test('HarborClient: those of a collection, a folder and a request are all sent', () => {
  const auth = (key: string) => ({ type: 'apikey', apikey: { key, value: 'v', in: 'header' } })
  const request = { method: 'GET', url: 'https://x.test' }
  const all = read({
    ...{ harborclientExport: 'collection', name: 'C', auth: auth('all') },
    folders: [{ uuid: 'f', name: 'F', auth: auth('folder') }],
    requests: [
      { ...request, name: 'A', folder_uuid: 'f' },
      { ...request, name: 'B', folder_uuid: 'f', auth: auth('own') }
    ]
  })
  assert.equal(
    all.tree.settings.headers.map(({ key }) => key),
    ['all']
  )
  assert.equal(sent(all), ['https://x.test folder: v', 'https://x.test own: v'])
})

const openApi = (more: object, operation: object = {}) => ({
  ...{ openapi: '3.1.0', info: { title: 'T' }, servers: [{ url: 'https://x.test' }], ...more },
  paths: { '/a': { get: { summary: 'One', ...operation } } }
})
const securitySchemes = {
  first: { type: 'apiKey', in: 'header', name: 'X-App' },
  'second key': { type: 'apiKey', in: 'header', name: 'X-Key' },
  token: { type: 'http', scheme: 'bearer' }
}

test('OpenAPI: two of them are two variables', () => {
  const all = read(openApi({ components: { securitySchemes } }, { security: [{ first: [], 'second key': [] }] }))
  assert.equal(sent(all), ['{{baseUrl}}/a X-App: {{apiKey}} X-Key: {{apiKey-second-key}}'])
  assert.equal(valuesOf(all.tree.settings.variables), ['baseUrl=https://x.test', 'apiKey=', 'apiKey-second-key='])
})

test('OpenAPI: an operation that opts out of authentication is told', () => {
  const all = read(openApi({ components: { securitySchemes }, security: [{ token: [] }] }, { security: [] }))
  assert.equal(whats(all), ['A request that opts out of authentication uses that of its collection.'])
})

test.run()
