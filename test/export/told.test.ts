import * as assert from 'uvu/assert'
import { noAuth } from '../../commands/content.js'
import { writeEnvironment } from '../../src/records/export/environment.js'
import { EXPORT_FORMATS, type ExportFormat } from '../../src/records/export/exported.js'
import { freeName } from '../../src/records/export/files.js'
import { writeExport } from '../../src/records/export/formats.js'
import type { CollectionTree, RequestFields } from '../../src/records/formats/model.js'
import { noSettings } from '../../src/records/import/parts.js'
import { readCollection } from '../import/read.js'
import { suite } from '../support/suite.js'

const test = suite('what an export keeps or tells')

const plain: RequestFields = {
  ...{ name: 'One', method: 'POST', url: 'https://x.test/a', headers: [], params: [], auth: noAuth, comment: '' },
  ...{ body: '', bodyType: 'none', preRequestScript: '', postRequestScript: '', protocol: 'http' }
}
const treeWith = (content: Partial<RequestFields>): CollectionTree => ({
  ...{ name: 'C', sourceId: null, settings: noSettings },
  items: [{ kind: 'request', sourceId: null, content: { ...plain, ...content } }]
})
const whats = (format: ExportFormat, content: Partial<RequestFields>) =>
  writeExport(treeWith(content), format).notes.map(({ what }) => what)
const NO_FORM = 'A form that is no list of fields is left out.'

test('a form that is no list of fields is kept by a HTTP Archive, and told by OpenAPI', () => {
  for (const bodyType of ['urlencoded', 'multipart'] as const) {
    const content = { bodyType, body: '{"no":"list"}' }
    const { bytes } = writeExport(treeWith(content), 'har')
    const [back] = readCollection(bytes).tree.items
    assert.match(JSON.stringify(back), 'list')
    assert.ok(whats('openapi', content).includes(NO_FORM))
  }
})

test('a reference that is never closed is looked through once', () => {
  const blanks = ' '.repeat(100_000)
  const { bytes } = writeExport(treeWith({ url: `https://x.test/{{ id }}/{{${blanks}` }), 'openapi')
  assert.ok(Buffer.from(bytes).toString().includes('/{id}/{{'))
})

test('fields of the same name in a form, and the end of a URL, are told by OpenAPI', () => {
  const row = { key: 'a', value: '1', enabled: true }
  const body = JSON.stringify([row, { ...row, value: '2' }])
  const told = whats('openapi', { bodyType: 'urlencoded', body, url: 'https://x.test/a#end' })
  assert.ok(told.includes('Of fields of a form of the same name the last one is kept.'))
  assert.ok(told.includes('What stands behind # in a URL is left out.'))
})

test('who a request is from, and that no field of a form is sent, are told by OpenAPI', () => {
  const secret = 'What requests authenticate with is left out: a description says how alone.'
  const basic = (username: string, password: string) => ({
    auth: { ...noAuth, type: 'basic' as const, basic: { username, password } }
  })
  assert.ok(whats('openapi', basic('u', 'p')).includes(secret))
  assert.not.ok(whats('openapi', basic('{{username}}', '{{password}}')).includes(secret))
  const auth = { ...noAuth, type: 'bearer' as const, bearer: { token: 't' } }
  assert.ok(whats('openapi', { auth }).includes(secret))
  const settings = { ...noSettings, auth }
  const { notes } = writeExport({ ...treeWith({}), settings }, 'openapi')
  assert.ok(notes.some(({ what, places }) => what === secret && places.includes('the collection')))
  const body = JSON.stringify([{ key: 'a', value: '1', enabled: false }])
  const unsent = 'A form of which no field is sent is one of which all are.'
  assert.ok(whats('openapi', { bodyType: 'urlencoded', body }).includes(unsent))
})

test('a body and credentials that are kept without being sent are told wherever they are left out', () => {
  const kept = 'A body or credentials that are kept and not sent are left out.'
  const bearer = { token: 't' }
  for (const format of EXPORT_FORMATS) {
    const isTold = !format.startsWith('harborclient')
    assert.is(whats(format, { body: '{}' }).includes(kept), isTold, format)
    assert.is(whats(format, { auth: { ...noAuth, bearer } }).includes(kept), isTold, format)
    const { notes } = writeExport({ ...treeWith({}), settings: { ...noSettings, auth: { ...noAuth, bearer } } }, format)
    assert.is(
      notes.some(({ what, places }) => what === kept && places[0] === 'the collection'),
      isTold,
      format
    )
    assert.not.ok(
      whats(format, { bodyType: 'text', body: 'x', auth: { ...noAuth, type: 'bearer', bearer } }).includes(kept)
    )
  }
})

test('that a request takes a stream of events is told by every format that leaves it out', () => {
  for (const format of ['har', 'openapi', 'bruno', 'opencollection', 'postman', 'postman-v3'] as const)
    assert.ok(
      whats(format, { protocol: 'sse' }).includes('That a request takes a stream of events is left out.'),
      format
    )
})

test('a value of several lines is kept by Bruno, whatever stands in it, or is told', () => {
  for (const value of ["one\n''' two\nthree", "'''"])
    assert.equal(whats('bruno', { headers: [{ key: 'a', value, enabled: true }] }), [
      "A value in which a line begins with ''' is changed: Bruno ends values of several lines there."
    ])
})

test('paths that differ by the names of their variables alone are one path of OpenAPI where its methods allow, and told', () => {
  const items = [
    { name: 'One', method: 'GET', url: 'https://x.test/users/:id' },
    { name: 'Two', method: 'DELETE', url: 'https://x.test/users/{{userId}}' },
    { name: 'Three', method: 'GET', url: 'https://x.test/users/{{userId}}/roles' },
    { name: 'Four', method: 'GET', url: 'https://x.test/users/{{me}}' }
  ] as const
  const requests = items.map((one) => ({ kind: 'request', sourceId: null, content: { ...plain, ...one } }) as const)
  const { bytes, notes } = writeExport({ ...treeWith({}), items: requests }, 'openapi')
  const { paths } = JSON.parse(Buffer.from(bytes).toString())
  assert.equal(Object.keys(paths), ['/users/{id}', '/users/{userId}/roles', '/users/{me}'])
  assert.equal(Object.keys(paths['/users/{id}']), ['get', 'delete'])
  assert.is(paths['/users/{id}'].delete.parameters[0].name, 'id')
  const what = 'A path that another request has with other variables is described with those.'
  assert.equal(
    notes.filter((one) => one.what === what).map(({ places }) => places),
    [['Two']]
  )
})

test('line ends of two characters in a value are told by Bruno, as those in a text are', () => {
  const told = 'Line ends of two characters (CR LF) become such of one.'
  const value = 'one\r\ntwo'
  const body = JSON.stringify([{ key: 'a', value, enabled: true }])
  assert.equal(whats('bruno', { headers: [{ key: 'a', value, enabled: true }] }), [told])
  assert.equal(whats('bruno', { bodyType: 'urlencoded', body }), [told])
  const variables = [{ key: 'a', value, defaultValue: '', share: true, enabled: true }]
  const { notes } = writeExport({ ...treeWith({}), settings: { ...noSettings, variables } }, 'bruno')
  const environment = writeEnvironment({ id: 'e', name: 'E', parentUuid: null, variables }, 'bruno')
  for (const all of [notes, environment.notes])
    assert.equal(
      all.map(({ what }) => what),
      [told]
    )
})

test('a text in a form that Bruno takes for a file or a type is told', () => {
  const told = (value: string) =>
    whats('bruno', { bodyType: 'multipart', body: JSON.stringify([{ key: 'a', value, enabled: true, type: 'text' }]) })
  const note = 'A text in a form that is @file(…), or ends in @contentType(…), is a file or a type to Bruno.'
  for (const value of ['@file(a)', 'b @contentType(text/plain)', 'b\nc@contentType(d(e)) '])
    assert.equal(told(value), [note])
  for (const value of ['@file(a', 'see @contentType(x) there', 'b']) assert.equal(told(value), [])
})

test('files are named as Windows can have them too', () => {
  const taken = new Map<string, number>()
  assert.equal(
    ['con', 'COM1', 'nul.txt', 'console', `${'x'.repeat(99)} y`].map((name) => freeName(name, taken)),
    ['con-', 'COM1-', 'nul-.txt', 'console', 'x'.repeat(99)]
  )
})

test.run()
