import { strToU8, unzipSync, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { writeExport } from '../../src/records/export/formats.js'
import { itemsOf } from '../../src/records/formats/model.js'
import { readImport } from '../../src/records/import/formats.js'
import { suite } from '../support/suite.js'
import { readCollection, whats } from './read.js'

const test = suite('files of HarborClient')

const said = (kind: string) => ({ harborclientVersion: 1, harborclientExport: kind })
const auth = (type: string, token = '') => ({ type, basic: { username: '', password: '' }, bearer: { token } })
const request = (name: string, more: object = {}) => ({
  ...{ uuid: `id of ${name}`, name, method: 'GET', url: 'https://x.test', headers: [], params: [], auth: auth('none') },
  ...{ body: '', body_type: 'none', pre_request_script: '', post_request_script: '', comment: '', tags: '' },
  ...more
})
const shared = { key: 'host', value: 'x.test', defaultValue: 'y.test', share: true }
const settings = {
  ...{ uuid: 'c1', name: 'Payments', variables: [shared, { ...shared, key: 'key', value: '', share: false }] },
  ...{ headers: [{ key: 'Accept', value: '*/*', enabled: true }], auth: auth('bearer', '{{key}}') },
  ...{ pre_request_script: 'before()', post_request_script: '', userAgent: 'Mine/1' }
}
const folders = [
  { uuid: 'f1', name: 'Users', sort_order: 0, auth: auth('bearer', 'of users'), pre_request_script: 'inFolder()' },
  { uuid: 'f2', name: 'Inner', sort_order: 0, parent_folder_uuid: 'f1' }
]
const requests = [
  request('Second', { sort_order: 1, folder_uuid: 'f2' }),
  request('First', { sort_order: 0, folder_uuid: 'f2', auth: auth('bearer', 'own') }),
  request('Alone', { folder_uuid: null, folder_name: null })
]
const documents = [{ uuid: 'd1', name: 'README.md', content: '# It', sort_order: 0, folder_uuid: 'f1' }]
const collection = { ...said('collection'), ...settings, folders, requests, documents }

const bytesOf = (value: object) => Buffer.from(JSON.stringify(value))
const zipped = (files: Readonly<Record<string, object | string>>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, one]) => [path, strToU8(typeof one === 'string' ? one : JSON.stringify(one))])
    )
  )
const pathsIn = (bytes: Uint8Array) =>
  [...itemsOf(readCollection(bytes).tree.items)].map(({ item, path }) =>
    [...path, item.kind === 'request' ? item.content.name : item.name].join(' / ')
  )
const PATHS = [
  'Users',
  'Users / Folder settings.md',
  'Users / Inner',
  'Users / Inner / First',
  'Users / Inner / Second',
  'Users / README.md',
  'Alone'
]

test('a collection comes in with its settings, and everything in its folder in its order', () => {
  const { format, tree, notes } = readCollection(bytesOf(collection))
  assert.equal([format, tree.name, tree.sourceId], ['harborclient', 'Payments', 'c1'])
  assert.equal(tree.settings, {
    variables: [
      { ...shared, enabled: true },
      { ...shared, key: 'key', value: '', share: false, enabled: true }
    ],
    headers: [
      { key: 'Accept', value: '*/*', enabled: true },
      { key: 'User-Agent', value: 'Mine/1', enabled: true }
    ],
    ...{ auth: auth('bearer', '{{key}}'), preRequestScript: 'before()', postRequestScript: '' }
  })
  assert.equal(pathsIn(bytesOf(collection)), PATHS)
  const tokens = [...itemsOf(tree.items)].flatMap(({ item }) =>
    item.kind === 'request' ? [[item.sourceId, item.content.auth.bearer.token]] : []
  )
  assert.equal(tokens, [
    ['id of First', 'own'],
    ['id of Second', 'of users'],
    ['id of Alone', '']
  ])
  assert.equal(whats({ notes }), [
    'The authentication of a folder is kept on each request in it that had none of its own.',
    'Scripts, headers and variables of a folder are kept as a document in it.'
  ])
})

/** The two ways in which it has kept a collection in a repository. */
const NESTED = {
  '.harborclient/collections/c1-payments/collection.json': { ...said('collection'), ...settings, folders },
  ...Object.fromEntries(
    requests.map((one, i) => [
      `.harborclient/collections/c1-payments/requests/${i}.json`,
      { ...said('request'), ...one }
    ])
  ),
  '.harborclient/environments/e1-dev.json': { ...said('environment'), uuid: 'e1', name: 'Dev', variables: [shared] }
}
const { content: _, ...kept } = { ...documents[0], file: 'README-payments.md' }
const FLAT = {
  '.harborclient/collection-payments/collection.json': {
    ...{ ...said('collection'), ...settings, folders, documents: [kept] },
    requests: ['req-1.json', 'req-0.json', 'req-2.json']
  },
  ...Object.fromEntries(
    requests.map(({ uuid, ...one }, i) => [
      `.harborclient/collection-payments/req-${i}.json`,
      { ...said('request'), uuid, ...one }
    ])
  ),
  '.harborclient/README-payments.md': '# It',
  '.harborclient/environment-dev.json': { ...said('environment'), uuid: 'e1', name: 'Dev', variables: [shared] },
  '.harborclient/snippet-x.json': { ...said('snippet'), uuid: 's1', name: 'X', code: '' }
}

test('a repository brings its collections and environments, in each of its layouts', () => {
  assert.equal(
    pathsIn(zipped(NESTED)),
    PATHS.filter((path) => !path.endsWith('README.md'))
  )
  assert.equal(pathsIn(zipped(FLAT)), PATHS)
  for (const files of [NESTED, FLAT]) {
    const { parts } = readImport(zipped(files))
    assert.equal(
      parts.map(({ name, format, brings }) => [name, format, brings]),
      [
        ['Payments', 'harborclient', 'collection'],
        ['Dev', 'harborclient', 'environments']
      ]
    )
  }
  const { notes } = readImport(zipped(FLAT))
  assert.equal(notes.at(-1)?.places, ['.harborclient/snippet-x.json'])
})

test('a file is told by what is in it, whatever it is called', () => {
  const files = {
    'a/one.json': collection,
    'a/collection.json': { name: 'Nothing' },
    'b/two.json': said('environment')
  }
  assert.equal(
    readImport(zipped(files)).parts.map(({ id, brings }) => [id, brings]),
    [
      ['a/one.json', 'collection'],
      ['b/two.json', 'environments']
    ]
  )
  assert.equal(pathsIn(bytesOf({ ...said('request'), ...request('One') })), ['One'])
})

test('an environment comes in with what it adds to, and alone with a note', () => {
  const environment = (uuid: string, parentUuid: string | null) => ({
    ...{ ...said('environment'), uuid, name: uuid, variables: [shared], parentUuid }
  })
  const { environments, notes } = readImport(
    zipped({ 'a.json': environment('e2', 'e1'), 'b.json': environment('e1', null) })
  )
  assert.equal(
    [environments.map(({ name, parent }) => [name, parent]), notes],
    [
      [
        ['e2', 'e1'],
        ['e1', null]
      ],
      []
    ]
  )
  assert.equal(whats(readImport(bytesOf(environment('e2', 'e1')))), [
    'The environment that it adds to is not in the file.'
  ])
})

test('what has no place here is named', () => {
  const script = { id: '1', enabled: true, kind: 'inline', code: 'a()' }
  const odd = request('Odd', {
    ...{ tags: 'a,b', marker: '#f00', body_raw: '--x', auth: { ...auth('oauth2'), oauth2: { tokenUrl: 'x' } } },
    pre_request_scripts: [script, { ...script, code: 'b()', stage: 'after-all' }, { ...script, enabled: false }]
  })
  const bytes = bytesOf({ ...collection, folders: [], documents: [], requests: [odd] })
  assert.equal(whats(readImport(bytes)), [
    'Colours are not carried over.',
    'Tags of requests are not carried over.',
    'A body that is written by hand in place of the fields of a form is not carried over.',
    'Scripts that are switched off or are snippets are not carried over.',
    'When scripts run beside every request is not carried over: they are one script here.',
    'How OAuth 2.0 gets its token is not carried over; a token that the source has is kept.'
  ])
  const [item] = readCollection(bytes).tree.items
  assert.is(item?.kind === 'request' && item.content.preRequestScript, 'a()\n\nb()')
  assert.equal(whats(readImport(bytesOf({ ...said('collection'), name: 'Manifest', requests: ['req-1.json'] }))), [
    'Requests that are files of their own are not in it: import the folder as a zip archive.'
  ])
})

test('folders that are in each other, or that two have the id of, lose nothing and end', () => {
  const inEachOther = [
    { uuid: 'a', name: 'A', parent_folder_uuid: 'b' },
    { uuid: 'b', name: 'B', parent_folder_uuid: 'a' },
    { uuid: 'b', name: 'B again' }
  ]
  const held = [request('In A', { folder_uuid: 'a' }), request('Elsewhere', { folder_uuid: 'gone' })]
  const paths = pathsIn(bytesOf({ ...collection, folders: inEachOther, requests: held, documents: [] }))
  assert.ok(paths.some((path) => path.endsWith('A / In A')))
  assert.ok(paths.includes('Elsewhere'))
})

for (const format of ['harborclient', 'harborclient-git'] as const)
  test(`what is exported as ${format}, imported and exported again is the same but for values that are not shared`, () => {
    const { tree } = readCollection(bytesOf(collection))
    const [host, key] = tree.settings.variables
    if (!host || !key) throw new Error('The collection has two variables.')
    const secret = { ...tree, settings: { ...tree.settings, variables: [host, { ...key, value: 'hidden' }] } }
    const once = writeExport(secret, format)
    assert.equal(whats(once), ['Values that are not shared are left out, as HarborClient leaves them out.'])
    const texts = format === 'harborclient' ? [once.bytes] : Object.values(unzipSync(once.bytes))
    for (const text of texts) assert.not.match(Buffer.from(text).toString(), 'hidden')
    const again = readCollection(once.bytes)
    assert.equal([again.format, again.notes, again.tree], ['harborclient', [], tree])
    const twice = writeExport(again.tree, format)
    assert.equal([twice.notes, Buffer.from(twice.bytes).equals(once.bytes)], [[], true])
  })

test('requests whose ids are no names of files, or the same but for their case, are all there', () => {
  const ids = ['GET /', 'GET .', '../..', 'a', 'A', 'x'.repeat(120), `${'x'.repeat(120)}y`]
  const requests = ids.map((uuid) => request(`of ${uuid}`, { uuid }))
  const { tree } = readCollection(bytesOf({ ...collection, requests }))
  const again = readCollection(writeExport(tree, 'harborclient-git').bytes)
  assert.equal([again.notes, again.tree], [[], tree])
})

test('a stream of events is named by an export, and read where a file has one', () => {
  const { tree } = readCollection(bytesOf({ ...collection, requests: [request('Stream', { protocol: 'sse' })] }))
  assert.equal(whats(writeExport(tree, 'harborclient')), ['That a request takes a stream of events is left out.'])
})

test.run()
