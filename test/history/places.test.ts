import * as assert from 'uvu/assert'
import { documentsTable } from '../../commands/records/document/table.js'
import { requestsTable } from '../../commands/records/request/table.js'
import { sequenceOf } from '../../commands/records/sequences.js'
import { editorOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { placedAt } from '../../src/records/history/tree.js'
import { content, request } from '../decide/made.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { append, newLedger } from './log.js'

const test = suite('places in a log with equal orders')

/** A log in which each kind was numbered for itself, and two requests share a number. */
async function oldLog(): Promise<Ledger> {
  const ledger = await newLedger(openMemory())
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'Old' }, editorOrigin)
  await ledger.run(
    { type: 'CreateDocument', id: 'd', collectionId: 'c', folderId: null, content: { name: 'd', content: '' } },
    editorOrigin
  )
  await append(ledger, [request('b', 'c', 1024), request('a', 'c', 1024), request('z', 'c', 0)])
  return ledger
}

async function places({ readModel }: Ledger): Promise<readonly (readonly [string, number | null])[]> {
  const found: (readonly [string, number | null])[] = []
  for (const table of [requestsTable, documentsTable]) {
    for (const row of await readModel.list(table, 'byCollection', ['c'])) {
      found.push([row.id, await readModel.placeOf(sequenceOf(table), table, row)])
    }
  }
  return found.toSorted((a, b) => Number(a[1]) - Number(b[1]))
}

test('they are whole numbers from 0 on: a request before a document, names settle the rest', async () => {
  assert.equal(await places(await oldLog()), [
    ['z', 0],
    ['a', 1],
    ['b', 2],
    ['d', 3]
  ])
})

test('a new name among equals, and one of them gone, are counted at once', async () => {
  const ledger = await oldLog()
  await places(ledger)
  const command = { type: 'UpdateRequest', id: 'a', collectionId: 'c', folderId: null, content: content('x') } as const
  const { place } = await ledger.run(command, editorOrigin, { table: requestsTable, id: 'a' })
  assert.is(place, 2)
  assert.equal(await places(ledger), [
    ['z', 0],
    ['b', 1],
    ['a', 2],
    ['d', 3]
  ])
  const { position } = ledger.readModel.head
  await ledger.run({ type: 'DeleteRequestAsAdmin', id: 'b' }, systemOrigin)
  assert.equal(await places(ledger), [
    ['z', 0],
    ['a', 1],
    ['d', 2]
  ])
  assert.is((await placedAt(ledger, 'request', 'a', position))?.place, 2)
})

test.run()
