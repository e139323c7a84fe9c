import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { clientNamed, clientOf, sessionId } from '../../src/agents/session.js'
import { suite } from '../support/suite.js'

const test = suite('sessions of agents')

const client = { name: 'editor', version: '1.2.0' }

test('a session says who its client is, to whoever has the same token', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, version) => {
      const named = clientNamed({ name, version })
      const id = sessionId(named, 'hash')
      assert.equal(clientOf(id, 'hash'), named)
      assert.match(id, /^[\w-]+\.[\w-]+$/)
      assert.ok(id.length < 1200, `${id.length} characters`)
    })
  ))

test('with another token it is no session', () => assert.is(clientOf(sessionId(client, 'hash'), 'other'), null))

test('what is changed, or made up, is no session', () => {
  const id = sessionId(client, 'hash')
  const [text = '', seal = ''] = id.split('.')
  const other = Buffer.from('["other","1"]').toString('base64url')
  for (const wrong of ['', '.', text, `${text}.`, `${other}.${seal}`, `${id}.`, `${id}x`, `${text}.${'x'.repeat(22)}`])
    assert.is(clientOf(wrong, 'hash'), null, wrong)
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (wrong) => assert.is(clientOf(wrong, 'hash'), null)))
})

test('names are cut, and nothing in them is obeyed by a terminal', () => {
  const { name, version } = clientNamed({
    name: `a\u001b[2J\u202eb\u2028${'x'.repeat(10_000)}`,
    version: '😀'.repeat(500)
  })
  assert.is(name, `a\uFFFD[2J\uFFFDb\uFFFD${'x'.repeat(92)}`)
  assert.is(version, '😀'.repeat(100))
})

test.run()
