import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { HubError } from '../../src/errors.js'
import { editorOrigin, openLedger } from '../../src/ledger/ledger.js'
import { ChangeTooLarge } from '../../src/storage/storage.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { faulty, rejection } from './faults.js'

const test = suite('a change that the database does not take')

test('is refused with 413 for its size alone, and the others of its commit are carried out', async () => {
  const storage = faulty(openMemory())
  await migrate(storage)
  const ledger = await openLedger(storage, () => null)
  const why = 'This is more than the database can take in one change.'
  storage.onCommit = async ({ events }, pass) => {
    if (events.some(({ payload }) => payload.text?.includes('large'))) throw new ChangeTooLarge(why)
    return pass()
  }
  const create = (name: string) => ledger.run({ type: 'CreateCollection', id: randomUUID(), name }, editorOrigin)
  const [, refusal] = await Promise.all([create('small'), rejection(create('large')), create('smaller')])
  assert.instance(refusal, HubError)
  assert.equal(refusal instanceof HubError && [refusal.status, refusal.message], [413, why])
  assert.is((await storage.head()).position, 2)
})

test.run()
