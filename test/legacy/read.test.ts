import * as assert from 'uvu/assert'
import { legacyTables } from '../../migrations/legacy/read.js'
import { suite } from '../support/suite.js'

const test = suite('records of an older hub')

/** What every version of an older hub wrote of a collection. */
const written = { id: 'c-1', createdAt: '2024-03-05T10:20:30.000Z', name: 'c' }

test('a collection name loses what not every database can hold', () => {
  const nameOf = (name: string | null) => legacyTables.collections.parse({ ...written, name }).name
  assert.is(nameOf('Pay\0ments \ud800'), 'Payments \ufffd')
  assert.is(nameOf(null), '', 'one without a name')
})

test('columns that came later may be missing', () => {
  const collection = legacyTables.collections.parse(written)
  assert.equal([collection.deletionLocked, collection.updatedAt], [false, null])
  const token = legacyTables.api_tokens.parse({ ...written, tokenHash: '0'.repeat(64) })
  assert.equal([token.userId, token.revokedAt, token.lastUsedAt], [null, null, null])
  assert.is(legacyTables.users.parse(written).llmAccess, false)
})

test.run()
