import * as assert from 'uvu/assert'
import { project } from '../../projections/index.js'
import { suite } from '../support/suite.js'

const test = suite('the rows of items')

test('an item that is renamed is sorted by its new name', () => {
  const place = { collectionId: 'c', folderId: null, sortOrder: 1024 }
  const at = { subject: 'd', version: 2, position: 7, at: '2026-01-01T00:00:00.000Z', actorId: 'ada', tokenId: null }
  const renamed = { ...place, content: { name: 'Zebra', content: '', marker: null } }
  const sortKeyOf = (type: string) =>
    project({ ...at, type, data: renamed }).map((op) =>
      op.op === 'patch' ? op.set.sortKey : op.op === 'put' ? Reflect.get(op.row, 'sortKey') : undefined
    )
  const [made] = sortKeyOf('DocumentCreated')
  assert.ok(made)
  assert.equal(sortKeyOf('DocumentUpdated'), [made])
})

test('an order of very many is projected', () => {
  const requests = Array.from({ length: 200_000 }, (_, i) => ({ id: `r${i}`, sortOrder: i }))
  const data = { folderId: null, requests, documents: [] }
  const by = { position: 1, version: 1, at: '2026-01-01T00:00:00.000Z', actorId: 'ada', tokenId: null }
  assert.is(project({ type: 'ItemsReordered', subject: 'c', data, ...by }).length, requests.length + 1)
})

test.run()
