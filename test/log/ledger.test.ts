import * as assert from 'uvu/assert'
import { tables } from '../../projections/index.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { memoryDatabase } from '../contract/databases.js'
import { anAccount, anAdmin } from '../decide/people.js'
import { newLedger } from '../history/log.js'
import { suite } from '../support/suite.js'
import { rejection } from './faults.js'

const test = suite('running commands')

test('who was an administrator when a request came, and is none when it is decided, works with their own access', async () => {
  const ledger = await newLedger(await (await memoryDatabase()).open(tables))
  const token = { tokenId: 't', prefix: 'hbk_abc', hash: 'h' }
  await ledger.run({ type: 'CreateUser', id: 'u', account: anAdmin('Eve'), token }, systemOrigin)
  const editor = { ...systemOrigin, tokenId: 't', isEditor: true } as const
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'One' }, editor)
  const { name: _, ...user } = anAccount('Eve', { collectionAccess: [] })
  await ledger.run({ type: 'UpdateUser', id: 'u', changes: user }, systemOrigin)
  const refused = await rejection(ledger.run({ type: 'CreateCollection', id: 'd', name: 'Two' }, editor))
  assert.match(String(refused), 'Forbidden')
  await ledger.close()
})

test.run()
