import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { itemsOf } from '../../src/records/formats/model.js'
import { readImport } from '../../src/records/import/formats.js'
import { suite } from '../support/suite.js'
import { outline, readCollection } from './read.js'

const test = suite('archives of several things')

const zipped = (files: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const postman = (name: string) => JSON.stringify({ info: { name, schema: SCHEMA }, item: [] })
const environment = (name: string) => JSON.stringify({ id: name, name, values: [{ key: 'a', value: name }] })
const BRU = 'meta {\n  name: R\n  type: http\n}\n\nget {\n  url: https://x.test\n  body: none\n  auth: none\n}\n'

test('a folder of Bruno is told by its requests, with a bruno.json or without', () => {
  for (const [files, name] of [
    [{ 'api/bruno.json': '{"name":"API"}', 'api/users/r.bru': BRU }, 'API'],
    [{ 'api/collection.bru': 'meta {\n  name: Named\n}\n', 'api/users/r.bru': BRU }, 'Named'],
    [{ 'api/r.bru': BRU, 'api/users/r.bru': BRU }, 'api'],
    [{ 'r.bru': BRU }, 'Imported collection']
  ] as const) {
    const { format, tree } = readImport(zipped(files))
    assert.equal([format, tree?.name], ['bruno', name])
    assert.ok(tree && tree.items.length > 0)
  }
})

test('a file of Bruno is read with a byte order mark, and as far as it goes where it is cut off, which is told', () => {
  const files = {
    'bruno.json': '\uFEFF{"name":"API"}',
    'marked.bru': `\uFEFF${BRU.replaceAll('\n', '\r\n')}`,
    'cut.bru': `${BRU.replace('R\n', 'Cut\n')}headers {\n  Accept: x`
  }
  const { tree, notes } = readImport(zipped(files))
  assert.is(tree?.name, 'API')
  assert.equal(
    tree &&
      [...itemsOf(tree.items)].map(({ item }) => (item.kind === 'request' ? item.content.name : item.kind)).toSorted(),
    ['Cut', 'R']
  )
  assert.equal(notes, [
    { what: 'A file that is cut off is carried over as far as it goes.', count: 1, places: ['cut.bru'] }
  ])
})

test('each collection in it is a part, and environments that are files are one', () => {
  const files = {
    'collection/1.json': postman('One'),
    'collection/2.json': postman('Two'),
    'environment/a.json': environment('A'),
    'environment/b.json': environment('B'),
    'bruno/bruno.json': '{"name":"Three"}',
    'bruno/r.bru': BRU,
    'archive.json': '{"collection":{"1":true}}',
    'other.json': '[]'
  }
  const archive = zipped(files)
  const { parts, part, notes } = readImport(archive)
  assert.equal(
    parts.map(({ id, name, brings, format }) => [id, name, brings, format]),
    [
      ['bruno/', 'Three', 'collection', 'bruno'],
      ['collection/1.json', 'One', 'collection', 'postman'],
      ['collection/2.json', 'Two', 'collection', 'postman'],
      ['environments of postman', 'Environments', 'environments', 'postman']
    ]
  )
  assert.equal([part, notes.map(({ places }) => places)], ['bruno/', [['other.json']]])
  assert.is(readImport(archive, { part: 'collection/2.json' }).tree?.name, 'Two')
  const { tree, environments } = readImport(archive, { part: 'environments of postman' })
  assert.equal([tree, environments.map(({ name }) => name)], [null, ['A', 'B']])
  assert.is(readImport(archive, { format: 'postman' }).tree?.name, 'One')
  assert.throws(() => readImport(archive, { part: 'collection/3.json' }), /the part of it that is named is not there/)
})

test('an archive of nothing that is known is refused, and so is one without what was asked for', () => {
  assert.throws(() => readImport(zipped({ 'a.json': '{}', 'b.md': '# B' })), /nothing in the archive is of a format/)
  assert.throws(
    () => readImport(zipped({ 'r.bru': BRU }), { format: 'postman' }),
    /nothing in the archive is of postman/
  )
})

test('a file in it that is broken is left out, and one beyond the limits refuses all of it', () => {
  const { tree, notes } = readImport(zipped({ 'a.json': '{', 'b.json': postman('B') }))
  assert.equal([tree?.name, notes[0]?.places], ['B', ['a.json']])
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`
  assert.throws(() => readImport(zipped({ 'a.json': deep, 'b.json': postman('B') })), /nests deeper than 200 levels/)
})

const dump = {
  version: 1,
  collections: [
    {
      ...{ id: 'c1', name: 'Old', description: 'About it.', order: ['r2'], folders_order: ['f1'] },
      folders: [{ id: 'f1', name: 'Users', order: ['r1'], collection_id: 'c1' }],
      requests: [
        {
          ...{ id: 'r1', name: 'Get', method: 'GET', url: 'https://x.test/:id?a=1', headers: 'A: b\n' },
          ...{ preRequestScript: 'before()', tests: 'after()', pathVariables: { id: '7' } },
          ...{ currentHelper: 'basicAuth', helperAttributes: { id: 'basic', username: 'u', password: 'p' } },
          responses: [
            { name: 'Fine', responseCode: { code: 200, name: 'OK' }, headers: [{ key: 'X', value: 'y' }], text: 'z' }
          ]
        },
        {
          ...{ id: 'r2', name: 'Form', method: 'POST', url: 'https://x.test', dataMode: 'urlencoded', headers: '' },
          headerData: [{ key: 'Off', value: '1', enabled: false }],
          data: [
            { key: 'a', value: '1', type: 'text' },
            { key: 'b', value: '2', enabled: false }
          ]
        },
        { id: 'r3', name: 'Raw', method: 'PUT', url: 'https://x.test', dataMode: 'raw', rawModeData: '{"a":1}' }
      ]
    },
    JSON.parse(postman('New'))
  ],
  environments: [{ id: 'e1', name: 'Dev', values: [{ key: 'host', value: 'h', enabled: true }] }],
  headerPresets: [],
  globals: [{ key: 'g', value: '1', enabled: true }]
}

test('a data dump of Postman in one file: collections of version 1, environments and globals', () => {
  const bytes = Buffer.from(JSON.stringify(dump))
  const { format, parts, tree, notes } = readImport(bytes)
  assert.equal(
    parts.map(({ id, name }) => [id, name]),
    [
      ['collections/c1', 'Old'],
      ['collections/1', 'New'],
      ['environments of postman', 'Environments']
    ]
  )
  const requests = [...itemsOf(tree?.items ?? [])].flatMap(({ item, path }) =>
    item.kind === 'request' ? [{ path, ...item.content }] : []
  )
  assert.equal(
    [format, requests.map(({ path, name }) => [...path, name])],
    ['postman', [['Users', 'Get'], ['Form'], ['Raw']]]
  )
  const [get, form, raw] = requests
  assert.equal(
    [get?.url, get?.preRequestScript, get?.postRequestScript],
    ['https://x.test/:id?a=1', 'before()', 'after()']
  )
  assert.equal(
    [get?.headers, get?.auth.basic],
    [[{ key: 'A', value: 'b', enabled: true }], { username: 'u', password: 'p' }]
  )
  assert.equal(form?.headers, [{ key: 'Off', value: '1', enabled: false }])
  assert.equal(JSON.parse(form?.body ?? ''), [
    { key: 'a', value: '1', enabled: true },
    { key: 'b', value: '2', enabled: false }
  ])
  assert.equal([raw?.bodyType, raw?.body], ['json', '{"a":1}'])
  assert.equal([notes, tree?.settings.variables.map(({ key, value }) => `${key}=${value}`)], [[], ['id=7']])
  assert.ok(
    [...itemsOf(tree?.items ?? [])].some(({ item }) => item.kind === 'document' && item.name === 'Get examples.md')
  )
  const { environments } = readImport(bytes, { part: 'environments of postman' })
  assert.equal(
    environments.map(({ name, variables }) => [name, variables.map(({ key }) => key)]),
    [
      ['Dev', ['host']],
      ['Globals', ['g']]
    ]
  )
})

test('paths as archives have them: with a dot before, names of folders for files, endings in capitals', () => {
  const names = (files: Readonly<Record<string, string>>) => readImport(zipped(files)).parts.map(({ name }) => name)
  assert.equal(names({ './api/bruno.json': '{"name":"API"}', './api/r.bru': BRU }), ['API'])
  assert.equal(names({ 'ONE.JSON': postman('One'), 'two.Yaml': postman('Two') }), ['One', 'Two'])
  assert.equal(names({ 'one.json': postman('One'), 'two.json/': '' }), ['One'])
})

test('a folder of requests may be called as that of environments is, where it is not at the root', () => {
  const { tree } = readImport(zipped({ 'bruno.json': '{"name":"API"}', 'api/environments/r.bru': BRU }))
  assert.equal(
    tree && [...itemsOf(tree.items)].map(({ item }) => (item.kind === 'request' ? item.content.name : item.name)),
    ['api', 'environments', 'R']
  )
})

test('a request of Bruno alone is a collection of it', () => {
  const { format, tree } = readImport(Buffer.from(BRU))
  assert.equal([format, tree?.items.length], ['bruno', 1])
})

test('files of another kind in the folder of a collection are told', () => {
  const open = 'opencollection: 1.0.0\ninfo:\n  name: API\n'
  for (const [path, file] of [
    ['bruno.json', '{"name":"API"}'],
    ['opencollection.yml', open]
  ] as const) {
    const { notes } = readImport(zipped({ [path]: file, 'other.json': postman('One'), 'page.har': '{}' }))
    assert.equal(
      notes.flatMap(({ places }) => places),
      ['other.json', 'page.har']
    )
  }
})

test('an archive that is locked with a password is refused as such', () => {
  const archive = Buffer.from(zipped({ 'bruno.json': '{"name":"API"}' }))
  archive[6] = (archive[6] ?? 0) | 1
  assert.throws(() => readImport(archive), /locked with a password. Pack it without one/)
})

test('names of files are read as UTF-8 where that is what they are, whether or not the archive says so', () => {
  const path = 'Übung/Küche.md'
  const archive = Buffer.from(zipSync({ 'bruno.json': strToU8('{"version":"1","name":"C"}'), [path]: strToU8('é') }))
  const unsaid = Buffer.from(archive)
  // What says so of a file, in front of it and in the list at the end.
  for (const [start, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8]
  ] as const)
    for (let at = unsaid.indexOf(start); at >= 0; at = unsaid.indexOf(start, at + 1))
      unsaid.writeUInt16LE(unsaid.readUInt16LE(at + flags) & ~0x800, at + flags)
  assert.not.equal(unsaid, archive)
  for (const one of [archive, unsaid]) assert.equal(outline(readCollection(one).tree), ['Übung', 'Übung / Küche.md'])
})

test.run()
