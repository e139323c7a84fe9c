import * as assert from 'uvu/assert'
import { tableLines } from '../../cli/lib/table.js'
import { suite } from '../support/suite.js'

const test = suite('tables on a terminal')

test('columns are as wide as what is in them, counted as a terminal shows it', () => {
  const rows = [
    ['1', '東京', 'two columns each'],
    ['20', 'e\u0301', 'one'],
    ['3', 'a\u001b[31m', '']
  ]
  assert.equal(tableLines(['id', 'name', 'what'], rows, 80), [
    'id  name       what',
    '1   東京       two columns each',
    '20  e\u0301          one',
    '3   a\\x1B[31m'
  ])
})

test('the last column is cut off at the edge of the terminal, never within a sign, and keeps twelve columns', () => {
  const last = (text: string, width: number) => tableLines(['id', 'what'], [['1', text]], width)[1]
  assert.is(last('abcdefghijklmnop', 18), '1   abcdefghijklm…')
  assert.is(last('abcdefghijklmn', 18), '1   abcdefghijklmn')
  assert.is(last('東京東京東京東京', 18), '1   東京東京東京…')
  assert.is(last('abcdefghijklmnop', 5), '1   abcdefghijk…')
  assert.equal(tableLines(['one'], [['a'.repeat(30)]], 10), ['one', 'a'.repeat(30)], 'but not the only one')
})

test('there are as many rows as there are records', () => {
  const rows = Array.from({ length: 150_000 }, (_, i) => [`${i}`, 'name'])
  assert.is(tableLines(['id', 'name'], rows, 80).length, rows.length + 1)
})

test.run()
