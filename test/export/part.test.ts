import * as assert from 'uvu/assert'
import { tables } from '../../projections/index.js'
import { HubError } from '../../src/errors.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { exportCollection } from '../../src/records/export/export.js'
import { memoryDatabase } from '../contract/databases.js'
import { collection, folder, request } from '../decide/made.js'
import { append, newLedger } from '../history/log.js'
import { suite } from '../support/suite.js'

const test = suite('a part of a collection as a file')
let ledger: Ledger

test.before(async () => {
  const database = await memoryDatabase()
  ledger = await newLedger(await database.open(tables))
  const others = Array.from({ length: 50 }, (_, at) => request(`other${at}`, 'c', at + 1))
  await append(ledger, [
    ...[collection('c'), folder('outer', 'c'), folder('inner', 'c', 1, 'outer'), folder('beside', 'c', 2)],
    ...[request('deep', 'c', 1, 'inner'), request('elsewhere', 'c', 1, 'beside')],
    ...others
  ])
})

/** As much as a folder holds, and not as much as the collection does. */
const MOST = 5_000
const written = async (...only: readonly string[]) => {
  const options = { format: 'postman', most: MOST, ...(only.length > 0 && { only }) } as const
  return Buffer.from((await exportCollection(ledger, 'c', options)).bytes).toString()
}

test('of a collection that is too large as a whole a folder is written, with all that it holds and nothing else', async () => {
  const refusal = await written().then(
    () => null,
    (error: unknown) => error
  )
  assert.ok(refusal instanceof HubError)
  assert.is(refusal.status, 413)
  assert.match(refusal.message, /Export its folders one by one: `only` takes their ids\.$/)
  const text = await written('outer')
  for (const name of ['outer', 'inner', 'deep']) assert.match(text, `"${name}`)
  for (const name of ['beside', 'elsewhere', 'other0']) assert.not.match(text, `"${name}`)
  const parts = await written('elsewhere', 'other7')
  assert.match(parts, '"other7"')
  assert.match(parts, '"beside"')
  assert.not.match(parts, '"deep"')
})

test.run()
