import * as assert from 'uvu/assert'
import { faultAt, faultsOf, formBodyOf, formRowsOf, otherFaults } from '../../../clients/console/src/model/faults.js'
import { suite } from '../../support/suite.js'

const test = suite('what is wrong with the fields of a form')

const faults = faultsOf({
  errors: [
    { in: 'params', path: 'id', message: 'none of the body' },
    { in: 'body', path: '', message: 'none of a field' },
    { in: 'body', path: 'headers.3.key', message: 'too long' },
    { in: 'body', path: 'name', message: 'empty' },
    'none at all',
    null
  ]
})

test('those of the body are found at their field and at their row', () => {
  assert.is(faultAt(faults, 'name'), 'empty')
  assert.is(faultAt(faults, 'headers.3'), 'too long')
  assert.is(faultAt(faults, 'headers.30'), undefined)
  assert.is(faultAt(faults, 'nam'), undefined)
  assert.is(faults.length, 2)
})

test('what no field shows is told apart', () => {
  assert.equal(otherFaults(faults, ['name']), [{ path: 'headers.3.key', message: 'too long' }])
  assert.equal(otherFaults(faults, ['name', 'headers']), [])
})

test('a refusal that names no fields has none', () => {
  assert.equal(faultsOf({ error: 'Forbidden' }), [])
  assert.equal(faultsOf({ errors: 'all of them' }), [])
})

test('the fields of a form are read from the text of a body, with all that stands beside them', () => {
  const body = '[{"key":"file","value":"","enabled":true,"type":"file","files":["a"]}]'
  const rows = formRowsOf(body)
  assert.is(formBodyOf(rows ?? []), body)
  assert.equal(formRowsOf(' '), [])
  assert.equal(formRowsOf('[{"key":"a","type":"file"}]'), [{ key: 'a', value: '', enabled: true, type: 'file' }])
  assert.is(formBodyOf([]), '')
  for (const text of ['a=1', '{}', '[1]', '[{"key":1,"value":"","enabled":true}]']) assert.is(formRowsOf(text), null)
})

test.run()
