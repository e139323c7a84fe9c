import * as assert from 'uvu/assert'
import { heldBy, outlineOf } from '../../../clients/console/src/model/outline.js'
import { suite } from '../../support/suite.js'

const test = suite('what a folder holds')

const outline = outlineOf([
  { kind: 'folder', id: 'A', name: 'A', parentId: null, sortOrder: 0 },
  { kind: 'folder', id: 'AA', name: 'AA', parentId: 'A', sortOrder: 0 },
  { kind: 'request', id: 'r', name: 'r', parentId: 'AA', sortOrder: 0 },
  { kind: 'document', id: 'd', name: 'd', parentId: 'A', sortOrder: 0 },
  { kind: 'request', id: 's', name: 's', parentId: null, sortOrder: 0 }
])

test('everything in it counts, however deep', () => {
  assert.equal(heldBy(outline, 'A'), { folder: 1, request: 1, document: 1 })
  assert.equal(heldBy(outline, null), { folder: 2, request: 2, document: 1 })
  assert.equal(heldBy(outline, 'none'), { folder: 0, request: 0, document: 0 })
})

test.run()
