import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { type ExportFormat, writeExport } from '../../src/records/export/formats.js'
import type { CollectionTree, Item } from '../../src/records/formats/model.js'
import { readImport } from '../../src/records/import/formats.js'
import { suite } from '../support/suite.js'
import { anyRequest, container, saidBy, sentRequest, treeOf, withExamples } from './trees.js'

const test = suite('a collection that is exported and imported again')

function comesBack(tree: CollectionTree, format: ExportFormat): void {
  const { tree: back } = readImport(writeExport(tree, format).bytes, format)
  assert.equal(saidBy(back), saidBy(tree))
}

const property = (trees: fc.Arbitrary<CollectionTree>, check: (tree: CollectionTree) => void) =>
  fc.assert(fc.property(trees, check), { numRuns: 60 })

const alone = anyRequest.map((content): readonly Item[] => [{ kind: 'request', sourceId: null, content }])

test('by Postman is the same: requests, examples, folders, descriptions, variables, scripts', () =>
  property(treeOf(container(withExamples(anyRequest), 2)), (tree) => comesBack(tree, 'postman')))

test('by Bruno is the same', () => property(treeOf(container(alone, 2)), (tree) => comesBack(tree, 'bruno')))

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

for (const format of ['postman', 'openapi', 'bruno', 'har'] as const) {
  test(`by ${format} twice is the same as once: what was left out is left out once`, () =>
    property(treeOf(container(withExamples(anyRequest), 1)), (tree) => {
      const once = readImport(writeExport(tree, format).bytes, format).tree
      comesBack(once, format)
    }))

  test(`is the same bytes for ${format} whenever it is exported`, () =>
    property(treeOf(container(alone, 1)), (tree) => {
      assert.ok(Buffer.from(writeExport(tree, format).bytes).equals(writeExport(tree, format).bytes))
    }))
}

test.run()
