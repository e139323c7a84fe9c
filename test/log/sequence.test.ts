import * as assert from 'uvu/assert'
import { documentsTable } from '../../projections/documents.js'
import { foldersTable } from '../../projections/folders.js'
import { requestsTable } from '../../projections/requests.js'
import { folderSequence, itemSequence } from '../../projections/sequences.js'
import { type OrderedRow, Places } from '../../src/readmodel/sequence.js'
import { suite } from '../support/suite.js'

const test = suite('places in a sequence')
const row = (id: string, sortOrder: number, more: Partial<OrderedRow> = {}): OrderedRow => ({
  id,
  container: 'c',
  sortOrder,
  sortKey: id,
  ...more
})
const of = (requests: readonly OrderedRow[], documents: readonly OrderedRow[] = []) =>
  new Places(itemSequence, [requests, documents])
const [a, b, c] = [row('a', 1024), row('b', 2048), row('c', 3072)]

test('rows that share an order are counted all the same: requests first, then by key and id', () => {
  const requests = [row('z', 5, { sortKey: 'k' }), row('y', 5, { sortKey: 'k' }), row('x', 5, { sortKey: 'l' })]
  const documents = [row('d', 5), row('e', 4)]
  const sequence = of(requests, documents)
  assert.equal(
    requests.map((one) => sequence.placeOf(requestsTable, one)),
    [2, 1, 3]
  )
  assert.equal(
    documents.map((one) => sequence.placeOf(documentsTable, one)),
    [4, 0]
  )
})

test('containers are counted each for itself', () => {
  const elsewhere = row('e', 1, { container: 'other' })
  assert.is(of([a, elsewhere, b]).placeOf(requestsTable, b), 1)
})

test('a row that is not among them has the place that it would take', () => {
  assert.is(of([a, c], [b]).placeOf(requestsTable, row('n', 2500)), 2)
  assert.is(of([a]).placeOf(requestsTable, row('n', 1, { container: 'empty' })), 0)
})

test('a sequence of folders knows nothing of requests, and ten thousand rows take little', () => {
  const folders = Array.from({ length: 10_000 }, (_, i) => row(`${i}`, i * 1024))
  const sequence = new Places(folderSequence, [folders])
  assert.is(sequence.placeOf(foldersTable, row('9999', 9999 * 1024)), 9999)
  assert.ok(sequence.bytes < 300_000)
})

test.run()
