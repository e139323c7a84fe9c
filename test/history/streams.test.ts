import * as assert from 'uvu/assert'
import { tables } from '../../projections/index.js'
import { editorOrigin, type Ledger } from '../../src/ledger/ledger.js'
import { newestOf } from '../../src/records/history/streams.js'
import { memoryDatabase } from '../contract/databases.js'
import { eventsOf } from '../support/append.js'
import { suite } from '../support/suite.js'
import { newLedger } from './log.js'

const test = suite('the newest events of a stream')
/** More than are looked at together. */
const CHANGES = 120
const stream = 'snippet-s'
let ledger: Ledger

test.before(async () => {
  ledger = await newLedger(await (await memoryDatabase()).open(tables))
  const content = { name: 'S', scope: 'any' as const }
  await ledger.run({ type: 'CreateSnippet', id: 's', content: { ...content, code: '' } }, editorOrigin)
  for (let i = 1; i <= CHANGES; i++)
    await ledger.run({ type: 'UpdateSnippet', id: 's', content: { ...content, code: `${i}` } }, editorOrigin)
  await ledger.run({ type: 'DeleteSnippet', id: 's' }, editorOrigin)
})

test('are found for many moments at once as for each by itself: what came later is never taken for what was before', async () => {
  const events = await eventsOf(ledger.storage, stream)
  const types = [['SnippetCreated'], ['SnippetUpdated'], ['SnippetDeleted']]
  const asked = events.flatMap(({ position }) => types.map((types) => ({ stream, types, at: position - 1 })))
  const found = await newestOf(ledger.storage, asked)
  for (const one of asked) {
    const { at, types } = one
    const expected = events.findLast(({ position, type }) => position <= at && types.includes(type))
    assert.is(found.get(one)?.position, expected?.position, `${types} at ${at}`)
  }
})

test('of a stream with few events are none where they had not happened yet', async () => {
  await ledger.run({ type: 'CreateEnvironment', id: 'e', name: 'E' }, editorOrigin)
  await ledger.run({ type: 'UpdateEnvironment', id: 'e', content: { name: 'F', variables: [] } }, editorOrigin)
  const [created, updated] = await eventsOf(ledger.storage, 'environment-e')
  assert.ok(created && updated)
  const types = ['EnvironmentUpdated']
  const asked = [updated, created].map(({ position: at }) => ({ stream: 'environment-e', types, at }))
  const found = await newestOf(ledger.storage, asked)
  assert.equal(
    asked.map((one) => found.get(one)?.position),
    [updated.position, undefined]
  )
})

test.run()
