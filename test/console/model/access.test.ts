import * as assert from 'uvu/assert'
import {
  type Access,
  accessInWords,
  choiceOf,
  listOf,
  withoutStale
} from '../../../clients/console/src/model/access.js'
import { suite } from '../../support/suite.js'

const test = suite('access in words')

const nothing: Access = {
  exactRole: 'user',
  collectionAccess: [],
  environmentAccess: [],
  snippetAccess: [],
  liveServerAccess: [],
  livePageAccess: [],
  llmAccess: false,
  llmModels: [],
  llmMonthlyTokenLimit: null
}
const all = {
  collectionAccess: ['*'],
  environmentAccess: ['*'],
  snippetAccess: ['*'],
  liveServerAccess: ['*'],
  livePageAccess: ['*']
}
const models = { llmAccess: true, llmModels: ['a', 'b', 'c'], llmMonthlyTokenLimit: 100_000 }

const told: readonly (readonly [string, Partial<Access>])[] = [
  ['No collections, environments, snippets, live servers or live pages; no models', {}],
  ['All collections, environments, snippets, live servers and live pages; no models', all],
  [
    'All collections, 2 environments, no snippets, live servers or live pages; models: 3, 100,000 tokens a month',
    { ...models, collectionAccess: ['*'], environmentAccess: ['x', 'y'] }
  ],
  [
    '1 collection, 1 live server, no environments, snippets or live pages; no models',
    { collectionAccess: ['x'], liveServerAccess: ['y'] }
  ],
  [
    'All collections, environments, snippets, live servers and live pages; models: all, no monthly limit',
    { ...all, llmAccess: true, llmModels: ['*'] }
  ],
  [
    'No collections, environments, snippets, live servers or live pages; models: none, 1 token a month',
    { llmAccess: true, llmMonthlyTokenLimit: 1 }
  ],
  ['Manages this hub', { exactRole: 'admin' }],
  ['Reads the audit', { exactRole: 'auditor' }]
]

for (const [words, access] of told) {
  test(words, () => assert.is(accessInWords({ ...nothing, ...access }), words))
}

test('what is gone leaves the lists that name it, and the others are not sent', () => {
  const account = { ...nothing, collectionAccess: ['kept', 'gone'], environmentAccess: ['kept'], llmModels: ['old'] }
  const warnings = ['Unknown collection id "gone".', 'Unknown LLM model id "old".']
  assert.equal(withoutStale(account, warnings), { collectionAccess: ['kept'], llmModels: [] })
  assert.equal(withoutStale({ ...account, ...all }, []), {})
})

test('a choice comes to the list that it was made of', () => {
  for (const ids of [['*'], [], ['a', 'b']]) assert.equal(listOf(choiceOf(ids)), ids)
})

test('what was picked is not lost by trying another answer', () => {
  const picked = choiceOf(['a', 'b'])
  assert.equal(listOf({ ...picked, is: 'all' }), ['*'])
  assert.equal(listOf({ ...picked, is: 'none' }), [])
  assert.equal(listOf({ ...picked, is: 'some' }), ['a', 'b'])
})

test.run()
