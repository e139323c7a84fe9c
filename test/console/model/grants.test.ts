import * as assert from 'uvu/assert'
import { grantsIn, grantsWith } from '../../../clients/console/src/model/grants.js'
import { endAt, scopesFor } from '../../../clients/console/src/model/tokenForm.js'
import { suite } from '../../support/suite.js'

const test = suite('roles and ends of tokens in the console')

const viewer = { kind: 'collection', id: 'a', role: 'viewer' } as const
const editor = { kind: 'environment', id: 'a', role: 'editor' } as const

test('a role takes the place of the one on the same record, comes behind the others, and goes', () => {
  assert.equal(grantsWith([viewer, editor], viewer, 'manager'), [{ ...viewer, role: 'manager' }, editor])
  assert.equal(grantsWith([viewer], editor, 'editor'), [viewer, editor])
  assert.equal(grantsWith([viewer, editor], viewer, null), [editor])
  assert.equal(grantsIn(undefined), [])
})

test('a token ends soon in its last week, and is over from its end on', () => {
  const end = '2026-03-20T12:00:00.000Z'
  const at = (now: string) => endAt(end, Date.parse(now))
  assert.equal(
    [at('2026-03-13T11:59:59.999Z'), at('2026-03-13T12:00:00.000Z'), at('2026-03-20T11:59:59.999Z'), at(end)],
    ['later', 'soon', 'soon', 'over']
  )
})

test('a token is limited to what its account may', () => {
  const of = (role: Parameters<typeof scopesFor>[0]) => scopesFor(role).map(([scope]) => scope)
  assert.equal(of('user'), ['read', 'write', 'llm', 'agent'])
  assert.equal(of('accountAdmin'), ['admin:read', 'scim'])
  assert.equal(of('auditor'), ['admin:read'])
  assert.ok(of('admin').includes('scim'))
})

test.run()
