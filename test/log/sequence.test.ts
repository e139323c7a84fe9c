import * as assert from 'uvu/assert'
import { documentsTable } from '../../commands/records/document/table.js'
import { foldersTable } from '../../commands/records/folder/table.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { folderSequence, itemSequence } from '../../commands/records/sequences.js'
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

test('they go on with commits: rows that come, go, change places', () => {
  const places = of([a, b], [c])
  assert.ok(places.moved(documentsTable, c, null))
  assert.ok(places.moved(requestsTable, a, { ...a, sortOrder: 3000 }))
  assert.ok(places.moved(requestsTable, null, row('n', 4096)))
  assert.is(places.placeOf(requestsTable, b), 0)
  assert.is(places.placeOf(requestsTable, { ...a, sortOrder: 3000 }), 1)
  assert.is(places.placeOf(requestsTable, row('n', 4096)), 2)
  assert.equal(places.ordersIn('c'), [2048, 3000, 4096])
})

test('they say so where they cannot go on: a commit that is in already, an order that two come to share', () => {
  assert.not(of([b]).moved(requestsTable, a, null))
  assert.not(of([a, b]).moved(requestsTable, null, a))
  assert.not(of([a, b]).moved(requestsTable, null, row('n', 2048)))
  assert.not(of([a], [row('d', 1024)]).moved(requestsTable, a, null), 'which of the two goes is not known')
})

test('the orders in a container are none where two rows share one', () => {
  assert.equal(of([a, c], [b]).ordersIn('c'), [1024, 2048, 3072])
  assert.equal(of([a]).ordersIn('elsewhere'), [])
  assert.is(of([a], [row('d', 1024)]).ordersIn('c'), null)
})

test('a row that is not among them has the place that it would take', () => {
  assert.is(of([a, c], [b]).placeOf(requestsTable, row('n', 2500)), 2)
  assert.is(of([a]).placeOf(requestsTable, row('n', 1, { container: 'empty' })), 0)
})

test('it counts the rows of another moment as such', () => {
  const rows = (...some: readonly OrderedRow[]) => some.map((one) => ({ ...one, version: 1, revision: 1, body: '{}' }))
  assert.ok(of([a, b]).counts(requestsTable, rows(b, a)))
  assert.not(of([a, b]).counts(requestsTable, rows(a)))
  assert.not(of([a, b]).counts(requestsTable, rows(a, c)))
})

test('a sequence of folders knows nothing of requests, and ten thousand rows take little', () => {
  const folders = Array.from({ length: 10_000 }, (_, i) => row(`${i}`, i * 1024))
  const sequence = new Places(folderSequence, [folders])
  assert.is(sequence.placeOf(foldersTable, row('9999', 9999 * 1024)), 9999)
  assert.ok(sequence.bytes < 300_000)
})

test.run()
