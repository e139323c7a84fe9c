import * as assert from 'uvu/assert'
import {
  type Refusal,
  refusalOf,
  refusedText,
  sessionOverText,
  signedOutText
} from '../../../clients/console/src/model/signingIn.js'
import { errors } from '../../../src/errors.js'
import { issueToken } from '../../../src/ledger/secrets.js'
import { suite } from '../../support/suite.js'

const test = suite('why somebody does not get in')
const { secret } = issueToken({}, Date.now())
const REFUSALS: readonly Refusal[] = ['revoked', 'expired', 'disabled', 'unknown']

test('the reason is read from what the hub answers', () => {
  const { tokenRevoked, tokenExpired, tokenOfDisabled, unauthorized } = errors
  assert.equal(
    [tokenRevoked, tokenExpired, tokenOfDisabled, unauthorized].map((error) =>
      refusalOf(error().headers['www-authenticate'] ?? null)
    ),
    REFUSALS
  )
  assert.is(refusalOf(null), 'unknown')
})

test('a token that has expired, was revoked or is of a disabled account is called none that is mistyped', () => {
  const texts = REFUSALS.map((why) => refusedText(secret, why))
  const begins = ['This token was revoked', 'This token has expired', 'The account of this token is disabled']
  assert.equal(
    [...begins, 'The hub does not know this token. It may be mistyped'].map((begin, i) => texts[i]?.startsWith(begin)),
    [true, true, true, true]
  )
  assert.equal(
    texts.map((text) => text.includes('mistyped')),
    [false, false, false, true]
  )
})

test('a token that the hub does not know and that is too short is cut off', () => {
  assert.match(refusedText(secret.slice(0, 20), 'unknown'), 'cut off')
})

test('who was signed out is told one reason', () => {
  assert.equal(
    REFUSALS.map((why) => signedOutText(why).split('. ')[0]),
    [
      'You were signed out: your token was revoked',
      'You were signed out: your token has expired',
      'You were signed out: your account was disabled',
      'You were signed out: your token was revoked, or your account deleted'
    ]
  )
})

test('who had a session in the browser is told why it is over, and who had none nothing', () => {
  const texts = REFUSALS.map(sessionOverText)
  assert.match(texts[0] ?? '', /signed out elsewhere/)
  assert.match(texts[1] ?? '', /lasted as long/)
  assert.match(texts[2] ?? '', /account was disabled/)
  assert.is(texts[3], 'Your session has ended. Sign in again.')
})

test.run()
