import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { noAuth } from '../../commands/content.js'
import { EXPORT_FORMATS, type ExportFormat } from '../../src/records/export/exported.js'
import { writeExport } from '../../src/records/export/formats.js'
import type { CollectionTree, Item, RequestFields } from '../../src/records/formats/model.js'
import { authOfHeaders } from '../../src/records/import/auth.js'
import type { ImportFormat } from '../../src/records/import/imported.js'
import { readCollection } from '../import/read.js'
import { isFull } from '../support/full.js'
import { suite } from '../support/suite.js'
import { anyRequest, container, saidBy, sentRequest, treeOf, withExamples } from './trees.js'

const test = suite('a collection that is exported and imported again')

const plain: RequestFields = {
  ...{ name: 'One', method: 'GET', url: '', headers: [], params: [], auth: noAuth, body: '', bodyType: 'none' },
  ...{ preRequestScript: '', postRequestScript: '', comment: '', protocol: 'http' }
}

/** What an export is read as. */
const importFormat = (format: ExportFormat): ImportFormat =>
  format === 'opencollection-file' ? 'opencollection' : format === 'harborclient-git' ? 'harborclient' : format

function comesBack(tree: CollectionTree, format: ExportFormat): void {
  const { tree: back } = readCollection(writeExport(tree, format).bytes, importFormat(format))
  assert.equal(saidBy(back), saidBy(tree))
}

const RUNS = isFull ? 60 : 20

const property = (trees: fc.Arbitrary<CollectionTree>, check: (tree: CollectionTree) => void) =>
  fc.assert(fc.property(trees, check), { numRuns: RUNS })

const alone = anyRequest.map((content): readonly Item[] => [{ kind: 'request', sourceId: null, content }])

for (const format of ['postman', 'postman-v3'] as const)
  test(`by ${format} is the same: requests, examples, folders, descriptions, variables, scripts`, () =>
    property(treeOf(container(withExamples(anyRequest), 2)), (tree) => comesBack(tree, format)))

test('by Bruno is the same', () => property(treeOf(container(alone, 2)), (tree) => comesBack(tree, 'bruno')))

for (const format of ['opencollection', 'opencollection-file', 'harborclient', 'harborclient-git'] as const)
  test(`by ${format} is the same, examples too`, () =>
    property(treeOf(container(withExamples(anyRequest), 2)), (tree) => comesBack(tree, format)))

test('keeps names in which a character ends a line for patterns, though not for file systems', () => {
  for (const name of ['one\u2028two', 'one\u2029two', 'one\u0085two'])
    for (const format of ['postman', 'postman-v3', 'bruno', 'opencollection'] as const)
      property(
        treeOf(alone).map((tree) => ({
          ...tree,
          name,
          items: [{ kind: 'folder', sourceId: null, name, items: tree.items }]
        })),
        (tree) => comesBack(tree, format)
      )
})

test('takes a user name for text where it is UTF-8, whatever character is in it', () => {
  const sent = (bytes: Buffer) =>
    authOfHeaders([{ key: 'Authorization', value: `Basic ${bytes.toString('base64')}`, enabled: true }]).auth.type
  assert.equal([sent(Buffer.from('\ufffd:')), sent(Buffer.from([0xff, 0x3a]))], ['basic', 'none'])
})

test('by an HTTP Archive sends the same', () => {
  const requests = sentRequest.map((content): readonly Item[] => [{ kind: 'request', sourceId: null, content }])
  const held = fc.array(requests, { maxLength: 4 }).map((all) => all.flat())
  const empty = {
    variables: [],
    headers: [],
    auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
  } as const
  const settings = { ...empty, preRequestScript: '', postRequestScript: '' }
  const trees = fc.record({ name: fc.constant('Recorded'), sourceId: fc.constant(null), items: held })
  return property(
    trees.map((tree) => ({ ...tree, settings: { ...settings, variables: [], headers: [] } })),
    (tree) => comesBack(tree, 'har')
  )
})

const SENDS = EXPORT_FORMATS.filter((format) => !format.startsWith('harborclient'))
for (const format of SENDS)
  test(`by ${format} sends the parameters that are on as they were, and keeps the others`, () =>
    property(treeOf(sentWith), (tree) => {
      const { tree: back } = readCollection(writeExport(tree, format).bytes, importFormat(format))
      const [before, after] = [tree, back].map(
        ({ items }) => items.flatMap((one) => (one.kind === 'request' ? [one.content] : []))[0]
      )
      assert.ok(before && after)
      assert.equal(queryOf(after), [...queryOf(before), ...on(before.params)])
      const off = before.params.filter(({ enabled }) => !enabled)
      assert.equal(after.params, format === 'har' ? [] : off)
    }))

const on = (rows: RequestFields['params']) =>
  rows.filter(({ enabled }) => enabled).map(({ key, value }) => [key, value])
const queryOf = ({ url }: RequestFields) => [...new URLSearchParams(url.split('?')[1])]
/** A request whose parameters have what means something else in a URL. */
const sentWith = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom('a b', 'c&d=e', '+1', '%20', 'f#', 'é', 'g'),
      fc.constantFrom('', '+1', 'x y&z=%41#'),
      fc.boolean()
    ),
    { maxLength: 4, selector: ([key]) => key }
  )
  .map((rows): readonly Item[] => {
    const params = rows.map(([key, value, enabled]) => ({ key, value, enabled }))
    return [{ kind: 'request', sourceId: null, content: { ...plain, url: 'https://x.test/a?q=1', params } }]
  })

/** Requests of which formats have no place for something: rows twice, types beside forms, ends of lines as Windows has them. */
const oddRequest = fc
  .record({ content: anyRequest, url: fc.constantFrom('', '?a=1&a=2', '?a&b='), end: fc.constantFrom('\n', '\r\n') })
  .map(({ content, url, end }) => ({
    ...content,
    url: `${content.url.split('?')[0]}${url}`,
    headers: [
      ...content.headers,
      { key: 'Content-Type', value: 'text/plain', enabled: true },
      { key: 'X', value: '', enabled: true }
    ],
    comment: `one${end}two`
  }))
const odd = fc
  .record({
    tree: treeOf(container(withExamples(oddRequest), 1)),
    share: fc.boolean(),
    defaultValue: fc.constantFrom('', 'other'),
    headers: fc.constantFrom([], [{ key: 'X-All', value: '1', enabled: true }])
  })
  .map(({ tree, share, defaultValue, headers }) => {
    const variables = tree.settings.variables.map((one) => ({ ...one, share, defaultValue }))
    return { ...tree, settings: { ...tree.settings, variables, headers: [...headers] } }
  })

for (const format of EXPORT_FORMATS) {
  test(`by ${format} lacks nothing that the export has not told`, () =>
    property(odd, (tree) => {
      const { bytes, notes } = writeExport(tree, format)
      const { tree: back } = readCollection(bytes, importFormat(format))
      if (notes.length === 0) assert.equal(saidBy(back), saidBy(tree))
    }))

  test(`by ${format} twice is the same as once: what was left out is left out once`, () =>
    property(treeOf(container(withExamples(anyRequest), 1)), (tree) => {
      const once = readCollection(writeExport(tree, format).bytes, importFormat(format)).tree
      comesBack(once, format)
    }))

  test(`is the same bytes for ${format} whenever it is exported`, () =>
    property(treeOf(container(alone, 1)), (tree) => {
      assert.ok(Buffer.from(writeExport(tree, format).bytes).equals(writeExport(tree, format).bytes))
    }))
}

test.run()
