import * as assert from 'uvu/assert'
import { fieldsChanged, isCut, toldBy } from '../../../clients/console/src/model/auditEntry.js'
import { suite } from '../../support/suite.js'

const test = suite('what an entry of the log says has changed')

test('the fields of changes are named once each, without those that only tell how a record is kept', () => {
  const changes = [{ path: '/headers/0/key' }, { path: '/headers/1' }, { path: '/url' }, { path: '/updatedAt' }]
  assert.equal(fieldsChanged(changes), ['headers', 'URL'])
  assert.equal(fieldsChanged([{ path: '', to: {} }]), [])
})

test('what an event tells of is its fields in words, without those that say nothing', () => {
  const to = {
    id: 't1',
    name: 'editor',
    marker: null,
    agentWrites: false,
    collectionAccess: ['*'],
    sections: [
      { section: 'db', status: 'unchanged' },
      { section: 'llm', status: 'reloaded' }
    ],
    filter: { kind: 'request', id: '' }
  }
  assert.equal(
    toldBy([{ path: '', to }])?.map(({ name, text }) => `${name} = ${text}`),
    [
      'Name = editor',
      'Agent writes = no',
      'Collection access = *',
      'Sections = db: unchanged\nllm: reloaded',
      'Filter: kind = request'
    ]
  )
})

test('a change between two sides is no thing that came or went', () => {
  assert.is(toldBy([{ path: '', from: { a: 1 }, to: { a: 2 } }]), null)
  assert.is(toldBy([{ path: '/name', to: 'x' }]), null)
})

test('an entry that the hub has cut short is known as one', () => {
  assert.ok(isCut([{ path: '/body', to: `${'x'.repeat(1000)}… (4000 characters)` }], undefined))
  assert.ok(isCut([], 3))
  assert.not.ok(isCut([{ path: '/body', to: 'short' }], undefined))
})

test.run()
