import { crc32 } from 'node:zlib'
import * as assert from 'uvu/assert'
import { drawSecret } from '../../src/ledger/secrets.js'
import { suite } from '../support/suite.js'

const test = suite('secrets')
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('the last six characters are the CRC-32 of all before them, so that a scanner knows a leaked one', () => {
  for (const kind of ['hbk_', 'hbi_', 'hbt_'] as const) {
    for (let i = 0; i < 1000; i++) {
      const { secret } = drawSecret(kind)
      assert.match(secret, /^hb[kit]_[\w-]{43}[0-9A-Za-z]{6}$/)
      const read = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0)
      assert.is(read, crc32(secret.slice(0, -6)))
    }
  }
})

test.run()
