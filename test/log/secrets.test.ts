import { crc32 } from 'node:zlib'
import * as assert from 'uvu/assert'
import { drawSecret, issueToken } from '../../src/ledger/secrets.js'
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

test('a token ends when the configuration says: as usual, or where that says nothing as late as may be', () => {
  const now = Date.parse('2026-03-04T05:06:07.089Z')
  const endOf = (...asked: Parameters<typeof issueToken>) => issueToken(...asked).token.expiresAt
  const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString()
  assert.is(endOf({}, now), null)
  assert.is(endOf({ expiresInDays: 7 }, now), inDays(7))
  assert.is(endOf({ expiresInDaysMax: 30 }, now), inDays(30))
  assert.is(endOf({ expiresInDays: 7, expiresInDaysMax: 30 }, now, { expiresAt: inDays(30) }), inDays(30))
  for (const expiresAt of [null, inDays(31)])
    assert.throws(() => issueToken({ expiresInDaysMax: 30 }, now, { expiresAt }), /30 days/)
})

test.run()
