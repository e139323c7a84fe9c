import * as assert from 'uvu/assert'
import { tidied } from '../../../clients/console/src/model/tidy.js'
import { suite } from '../../support/suite.js'

const test = suite('tidying JSON up')

test('what is tidied is indented, and else the same', () => {
  assert.equal(tidied('{"id":12345678901234567890,"id":1.0,"list":[],"of":[1,{"x":"a {{b}} c"}]}'), {
    text: `{
  "id": 12345678901234567890,
  "id": 1.0,
  "list": [],
  "of": [
    1,
    {
      "x": "a {{b}} c"
    }
  ]
}`
  })
})

test('references to variables stand where values do', () => {
  assert.equal(tidied('{"amount":{{amount}},"all":[{{a}},{{ b }}],"text":"\\"{{c}}"}'), {
    text: `{
  "amount": {{amount}},
  "all": [
    {{a}},
    {{ b }}
  ],
  "text": "\\"{{c}}"
}`
  })
})

test('where it is no JSON is told by line and column, and which part it is', () => {
  const faults = {
    '{\n  "a": 1\n  "b": 2\n}': 'Line 3, column 3: a comma is expected.',
    '{\n  a: 1\n}': 'Line 2, column 3: this is no value.',
    '{"a": }': 'Line 1, column 7: a value is expected.',
    '{"a": 1': 'Line 1, column 8: a closing brace is expected.',
    '[1, 2,]': 'Line 1, column 7: a value is expected.',
    '{"a": "b': 'Line 1, column 7: the text has no closing quote.',
    '[1] 2': 'Line 1, column 5: nothing more is expected.',
    '// a\n[1]': 'Line 1, column 1: JSON has no comments.'
  }
  for (const [text, fault] of Object.entries(faults)) {
    const found = tidied(text)
    assert.is('fault' in found && found.fault, fault, text)
  }
})

test('a long text is tidied as a short one is', () => {
  const value = Array.from({ length: 16_000 }, (_, id) => ({ id, name: `name ${id}`, on: true }))
  assert.equal(tidied(JSON.stringify(value)), { text: JSON.stringify(value, null, 2) })
})

test('what is too deep to be looked into says so', () => {
  assert.equal(tidied('['.repeat(50_000)), { fault: 'This is too deep to be looked into.', from: 0, to: 0 })
})

test.run()
