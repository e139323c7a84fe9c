import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { USUAL_BOUNDS } from '../../src/config/importBounds.js'
import { HubError } from '../../src/errors.js'
import { LIMITS } from '../../src/limits.js'
import { readImport } from '../../src/records/import/formats.js'
import { readInThread } from '../../src/records/import/thread.js'
import { suite } from '../support/suite.js'
import { readCollection, whats } from './read.js'

const test = suite('files that mean harm')

function refused(bytes: Uint8Array | string, status: number, message: RegExp, bounds = USUAL_BOUNDS): void {
  const file = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  try {
    readImport(file, { bounds })
  } catch (error) {
    assert.instance(error, HubError)
    assert.is(error instanceof HubError && error.status, status)
    assert.match(error instanceof Error ? error.message : '', message)
    return
  }
  assert.unreachable('It was read.')
}

const bruno = strToU8('{"version":"1","name":"C"}')
const postman = (items: string) =>
  `{"info":{"_postman_id":"p","name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/"},"item":[${items}]}`

test('an archive that unpacks to more than is allowed is not unpacked', () => {
  const large = new Uint8Array(LIMITS.importUnpacked.max + 1)
  refused(zipSync({ 'bruno.json': bruno, 'a.bru': large }), 413, /unpacks to more than/)
})

test('an archive that says less than it holds gives no more than it said', () => {
  const archive = Buffer.from(zipSync({ 'bruno.json': bruno, 'a.bru': strToU8('meta {\n  name: A\n}\n'.repeat(1000)) }))
  const real = Buffer.alloc(4)
  real.writeUInt32LE(19_000)
  const claimed = Buffer.from([5, 0, 0, 0])
  for (let at = archive.indexOf(real); at >= 0; at = archive.indexOf(real, at + 1)) claimed.copy(archive, at)
  const { tree } = readCollection(archive)
  assert.ok(JSON.stringify(tree).length < 1000)
})

test('an archive with a file that is stored as it is counts as what that holds, whatever it says', () => {
  const file = strToU8('meta {\n  name: A\n}\n'.repeat(100))
  const archive = Buffer.from(zipSync({ 'bruno.json': bruno, 'a.bru': file }, { level: 0 }))
  const real = Buffer.alloc(4)
  real.writeUInt32LE(file.length)
  // Its size once more, as what it unpacks to, in the local header and in the list at the end.
  for (let at = archive.indexOf(real); at >= 0; at = archive.indexOf(real, at + 8)) archive.fill(0, at + 4, at + 8)
  refused(archive, 413, /unpacks to more than 1000 bytes/, { ...USUAL_BOUNDS, maxUnpackedBytes: 1000 })
})

test('an archive of too many files, or with one that leads out of it, is refused', () => {
  const many = Object.fromEntries(
    Array.from({ length: LIMITS.importFiles.max + 1 }, (_, i) => [`${i}.bru`, new Uint8Array()])
  )
  refused(zipSync(many, { level: 0 }), 413, /more than 5000 files/)
  for (const name of ['../a.bru', '/a.bru', 'a/../../b.bru', 'C:\\a.bru'])
    refused(zipSync({ 'bruno.json': bruno, [name]: bruno }), 400, /a path that leads out of it. Pack the folder itself/)
  refused(zipSync({ [`${'d/'.repeat(60)}a.bru`]: bruno }), 413, /nest deeper than 50/)
})

test('a damaged archive, or none of a collection, is refused', () => {
  refused(zipSync({ 'bruno.json': bruno }).subarray(0, 40), 400, /no zip archive, or a damaged one. Pack it anew/)
  refused(zipSync({ 'a.txt': bruno }), 400, /nothing in the archive is of a format that is known/)
  refused(zipSync({ 'bruno.json': strToU8('{') }), 400, /is no JSON/)
  refused(zipSync({ 'bruno.json': Uint8Array.of(0xff, 0xfe) }), 400, /not UTF-8. Save that as UTF-8, or leave it out/)
})

test('an archive that is none of zip is refused with what to do', () => {
  for (const start of [[0x1f, 0x8b, 8], [...Buffer.from('Rar!\x1a\x07')], [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]])
    refused(Uint8Array.from([...start, 0xff, 0xfe]), 400, /an archive of another kind. Pack it as a zip archive/)
})

test('YAML that grows by references is refused', () => {
  const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`)
  refused(`openapi: 3.0.0\nl0: &l0 x\n${levels.join('\n')}\n`, 400, /it is no YAML/)
  const wide = `openapi: 3.0.0\na: &a [${Array(20_000).fill('x').join(', ')}]\nb: [${Array(90).fill('*a').join(', ')}]\n`
  refused(wide, 413, /more than 1000000 values/)
})

test('values that are too many or too deep are refused', () => {
  refused(`{"a":[${Array(1_000_001).fill('0').join()}]}`, 413, /more than 1000000 values/)
  refused(`${'['.repeat(500)}${']'.repeat(500)}`, 413, /deeper than 200 levels/)
  refused(
    postman(
      Array(LIMITS.importItems.max + 1)
        .fill('{"name":"r","request":"https://x.test"}')
        .join()
    ),
    413,
    /more than 2000 folders/
  )
  const long = JSON.stringify({
    name: 'r',
    request: { method: 'POST', url: 'x', body: { mode: 'raw', raw: 'x'.repeat(1_100_000) } }
  })
  refused(postman([long, long, long].join()), 413, /more than 3145728 characters/)
})

test('an integer that takes long to read is refused, or stays a text in a text, and a long one is kept', () => {
  const variable = (value: string) => postman('').replace('"item"', `"variable":[{"key":"k","value":${value}}],"item"`)
  const digits = '7'.repeat(1000)
  assert.is(readCollection(Buffer.from(variable(`-${digits}`))).tree.settings.variables[0]?.value, `-${digits}`)
  refused(variable(`${digits}7`), 400, /more than 1000 digits/)
  const long = '7'.repeat(2_000_000)
  refused(variable(long), 400, /more than 1000 digits/)
  const insomnia = 'type: collection.insomnia.rest/5.0\nname: N\ncollection: []\n'
  for (const one of [long, `-${long}`, `0x${long}`])
    refused(`${insomnia}environments:\n  name: B\n  data: { a: ${one} }\n`, 400, /more than 1000 digits/)
  assert.is(readCollection(Buffer.from(variable(`"${digits}7"`))).tree.settings.variables[0]?.value, `${digits}7`)
})

test('lines of blanks cost as much as they are long', () => {
  const began = process.cpuUsage()
  refused(`${'\n '.repeat(40_000)}x`, 400, /of no format that can be told/)
  const { user } = process.cpuUsage(began)
  assert.ok(user < 500_000, `${user / 1000} ms of the processor`)
})

test('YAML that nests too deep, or has too many values, is refused before it is built', () => {
  const began = process.memoryUsage.rss()
  refused('- '.repeat(1_000_000), 413, /deeper than 200 levels/)
  refused(`a:\n${'- {}\n'.repeat(1_000_001)}`, 413, /more than 3000000 words/)
  const grown = process.memoryUsage.rss() - began
  assert.ok(grown < 1024 * 1024 * 1024, `${grown} bytes`)
})

test('what is no text, nothing, or no format is refused with why', () => {
  refused(Uint8Array.of(0xff, 0xfe, 0xfd), 400, /it is not UTF-8. Where it is a text, save it as UTF-8 first/)
  refused('  \n', 400, /it is empty. Save it anew/)
  refused('{"a":', 400, /it is no JSON: [^.]+. Where it is cut off, save it anew/)
  refused('a: [1', 400, /it is no YAML/)
  refused('hello', 400, /of no format that can be told/)
})

test('references that go round, or to files and addresses, end where they are', () => {
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'R' } },
    paths: {
      '/a': { $ref: '#/paths/~1b' },
      '/b': { $ref: '#/paths/~1a' },
      '/c': { $ref: 'file:///etc/passwd' },
      '/d': {
        post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } }
      }
    },
    components: {
      schemas: {
        A: { allOf: [{ $ref: '#/components/schemas/B' }] },
        B: { properties: { a: { $ref: '#/components/schemas/A' } } }
      }
    }
  }
  const { tree, notes } = readCollection(Buffer.from(JSON.stringify(document)))
  assert.is(tree.items.length, 1)
  assert.equal(whats({ notes }), [
    'A reference leads nowhere.',
    'A reference leads out of the document and is not followed.'
  ])
})

test('what the desktop exports of a run is no collection, and the refusal says where it goes', () =>
  refused(
    '{"harborclientVersion":1,"harborclientExport":"request-run-results","results":[]}',
    400,
    /it holds the results of a run, and those are shared: POST \/run-results/
  ))

test('what else the desktop exports is refused as what it says it is, with what reads it and what can be imported', () => {
  refused(
    '{"harborclientVersion":1,"harborclientExport":"snippet","code":"1"}',
    400,
    /it says that it is an export “snippet” of the desktop, which the desktop's own import reads\. What can be imported here: postman, .*curl, harborclient\.$/
  )
  refused(`{"harborclientExport":"${'x'.repeat(1000)}"}`, 400, /an export “x{60}” of the desktop/)
})

test('names of prototypes are names', () => {
  const { tree } = readCollection(
    Buffer.from(
      '{"openapi":"3.0.0","info":{"title":"T"},"paths":{"/__proto__/constructor":{"get":{"summary":"__proto__","parameters":[{"name":"__proto__","in":"query","required":true}],"security":[{"constructor":[]}]}}}}'
    )
  )
  assert.is(tree.items.length, 1)
  assert.is(({} as Record<string, unknown>).get, undefined)
})

test('what is to be a number and can be made none counts as none', () => {
  const none = { toString: 1 }
  const request = { url: 'https://x.test', method: 'GET' }
  const bruno = { type: 'http', name: 'R', request, examples: [{ name: 'E', response: { status: none } }] }
  const http = { http: request, info: { name: 'R', type: 'http' }, settings: { timeout: none } }
  for (const file of [
    { name: 'C', version: '1', items: [bruno] },
    { opencollection: '1.0.0', info: { name: 'C' }, items: [http] },
    {
      type: 'collection.insomnia.rest/5.0',
      collection: [1, 2].map((n) => ({ ...request, name: `R${n}`, meta: { sortKey: none } }))
    }
  ])
    assert.ok(readCollection(Buffer.from(JSON.stringify(file))).tree.items.length > 0)
})

test('in a thread a file is refused as it is here, and others are read beside it', async () => {
  const file = Uint8Array.from(Buffer.from(postman('{"name":"r","request":"https://x.test"}')))
  const deep = readInThread(Buffer.from('{"a":'.repeat(400_000))).then(
    () => assert.unreachable('It was read.'),
    (error: unknown) => error
  )
  const { tree } = await readInThread(file)
  assert.is(tree?.items.length, 1)
  const error = await deep
  assert.ok(error instanceof HubError && [400, 413].includes(error.status), String(error))
})

test.run()
