import * as assert from 'uvu/assert'
import { documentsTable } from '../../projections/documents.js'
import { foldersTable } from '../../projections/folders.js'
import { requestsTable } from '../../projections/requests.js'
import { folderSequence, itemSequence } from '../../projections/sequences.js'
import { type OrderedRow, type RowStates, Sequence } from '../../src/log/sequence.js'
import type { TableSpec } from '../../src/storage/storage.js'
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
  Sequence.of(itemSequence, [requests, documents])
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

test('it goes on with commits: rows that come, go, change places', () => {
  const sequence = of([a, b], [c])
  const table = requestsTable
  assert.ok(
    sequence.apply([
      { table, before: a, after: { ...a, sortOrder: 2048 } },
      { table, before: b, after: { ...b, sortOrder: 1024 } },
      { table: documentsTable, before: c, after: null },
      { table, before: null, after: row('n', 4096) }
    ])
  )
  assert.is(sequence.placeOf(table, { ...b, sortOrder: 1024 }), 0)
  assert.is(sequence.placeOf(table, row('n', 4096)), 2)
})

test('it says so where it cannot go on: a commit that it has counted already, an order that two come to share', () => {
  const table = requestsTable
  assert.not(of([b]).apply([{ table, before: a, after: null }]))
  assert.not(of([a, b]).apply([{ table, before: null, after: a }]))
  assert.not(of([a, b]).apply([{ table, before: null, after: row('n', 2048) }]))
  const other = row('o', 1024)
  assert.not(of([other]).apply([{ table, before: a, after: null }]), 'the row itself has gone already')
})

test('changes that are on their way count once, whether they were there already or not', () => {
  const table = requestsTable
  const moved = row('a', 5000)
  const changed = [{ table, states: [a, moved], last: moved }]
  for (const requests of [
    [a, b, c],
    [moved, b, c]
  ]) {
    assert.equal(
      [moved, b, c].map((one) => of(requests).placeAfter(table, one, changed)),
      [2, 0, 1]
    )
  }
})

test('of a row that takes the order of another, too little is known', () => {
  assert.is(of([a, b]).placeAfter(requestsTable, row('n', 2048), []), null)
})

test('the orders in a container are those of the rows which stay, and of what comes; none where two share one', () => {
  const moved = row('a', 5000)
  const changed = [{ table: requestsTable, states: [a, moved], last: moved }]
  for (const first of [a, moved]) assert.equal(of([first, c], [b]).ordersAfter('c', changed), [2048, 3072, 5000])
  assert.equal(of([a, c], [b]).ordersAfter('c', [{ table: documentsTable, states: [b], last: null }]), [1024, 3072])
  assert.equal(of([a], [b]).ordersAfter('elsewhere', []), [])
  assert.is(of([a, row('z', 1024)]).ordersAfter('c', []), null)
  assert.is(of([a], [row('d', 1024)]).ordersAfter('c', []), null)
  assert.is(of([a]).ordersAfter('c', [{ table: documentsTable, states: [], last: row('d', 1024) }]), null)
})

test('the end of a container is that of the rows which stay, and of what comes', () => {
  const sequence = of([a, c], [b])
  const changes = (table: TableSpec, before: OrderedRow | null, last: OrderedRow | null): RowStates => ({
    table,
    states: [before ?? [], last ?? []].flat(),
    last
  })
  assert.is(sequence.lastAfter('c', []), 3072)
  assert.is(sequence.lastAfter('elsewhere', []), null)
  assert.is(sequence.lastAfter('c', [changes(requestsTable, c, null)]), 2048)
  assert.is(sequence.lastAfter('c', [changes(requestsTable, c, row('c', 1500))]), 2048)
  assert.is(sequence.lastAfter('c', [changes(documentsTable, null, row('n', 4096))]), 4096)
  const gone = [changes(requestsTable, a, null), changes(requestsTable, c, { ...c, container: 'elsewhere' })]
  assert.is(sequence.lastAfter('c', [...gone, changes(documentsTable, b, null)]), null)
  assert.is(sequence.lastAfter('elsewhere', gone), 3072)
})

test('it counts the rows of another moment as such', () => {
  const rows = (...some: readonly OrderedRow[]) => some.map((one) => ({ ...one, version: 1, revision: 1, body: '{}' }))
  assert.ok(of([a, b]).counts(requestsTable, rows(b, a)))
  assert.not(of([a, b]).counts(requestsTable, rows(a)))
  assert.not(of([a, b]).counts(requestsTable, rows(a, c)))
})

test('a sequence of folders knows nothing of requests, and ten thousand rows take little', () => {
  const folders = Array.from({ length: 10_000 }, (_, i) => row(`${i}`, i * 1024))
  const sequence = Sequence.of(folderSequence, [folders])
  assert.is(sequence.placeOf(foldersTable, row('9999', 9999 * 1024)), 9999)
  assert.ok(sequence.bytes < 300_000)
})

test.run()
