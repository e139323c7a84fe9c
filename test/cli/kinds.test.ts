import * as assert from 'uvu/assert'
import { kindValue, oneOfValue } from '../../cli/lib/option-values.js'
import { KINDS } from '../../commands/records/kinds.js'
import { suite } from '../support/suite.js'

const test = suite('the kind of a record on the command line')

test('every kind is read as it is written, in capitals, and with hyphens between its parts', () => {
  for (const kind of KINDS) {
    const hyphened = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    for (const typed of [kind, kind.toUpperCase(), kind.toLowerCase(), hyphened]) {
      assert.is(kindValue(typed), kind)
      assert.is(oneOfValue('--kind', typed, ['user', ...KINDS]), kind)
    }
  }
})

test('what is none is refused with those there are', () => {
  assert.throws(() => kindValue('live'), /^Unknown kind "live"\. Kinds are collection, .*liveServer, livePage/)
  assert.throws(() => kindValue(''), /^Unknown kind ""/)
})

test.run()
