import * as assert from 'uvu/assert'
import { fieldDiffs } from '../../../clients/console/src/model/diffFields.js'
import { changesBetween } from '../../../clients/console/src/model/diffLeaves.js'
import { isSecretUrl, urlMasked, urlsMasked } from '../../../clients/console/src/model/urlSecrets.js'
import { meaningOf, variablesOf } from '../../../clients/console/src/model/variables.js'
import { suite } from '../../support/suite.js'

const test = suite('secrets in URLs')

const MASK = '••••••••'

test('passwords, and values in query and fragment whose names say so, are masked; all else stays', () => {
  for (const [url, masked] of [
    ['https://me:pw@h/x?q=1&api_key=k#top', `https://me:${MASK}@h/x?q=1&api_key=${MASK}#top`],
    ['https://h/cb#access_token=t&type=bearer', `https://h/cb#access_token=${MASK}&type=bearer`],
    ['https://h/#/cb?id_token=t&page=2', `https://h/#/cb?id_token=${MASK}&page=2`],
    ['https://h/?q=a?token=b#token=c', `https://h/?q=a?token=b#token=${MASK}`],
    ['/path?access%5Ftoken=t', `/path?access%5Ftoken=${MASK}`]
  ] as const)
    assert.is(urlMasked(url), masked)
  for (const plain of ['https://h/token/1#tokens', '{{host}}/#token={{token}}', 'https://h/#/tokens?page=2', ''])
    assert.is(urlMasked(plain), plain)
})

test('two URLs are compared masked, and not at all where they differ in what is masked alone', () => {
  assert.equal(urlsMasked('https://a/?token=1', 'https://b/?token=2'), {
    ...{ from: `https://a/?token=${MASK}`, to: `https://b/?token=${MASK}` }
  })
  assert.is(urlsMasked('https://a/?token=1', 'https://a/?token=2'), null)
})

test('a difference of URLs tells that something of it is secret, and what may be read', () => {
  const [plain] = fieldDiffs([{ path: '/url', from: 'https://a', to: 'https://b' }])
  assert.is(plain?.isSecret, false)
  const [secret] = fieldDiffs([{ path: '/url', to: 'https://a/#access_token=t' }])
  assert.equal([secret?.isSecret, secret?.masked], [true, { from: '', to: `https://a/#access_token=${MASK}` }])
  const [rotated] = fieldDiffs([{ path: '/homeUrl', from: 'https://a/?key=1&token=t', to: 'https://a/?key=1&token=u' }])
  assert.equal([rotated?.isSecret, rotated?.masked], [true, null])
})

test('a variable that stands for such a URL is told masked, and compared as a secret', () => {
  const variable = (value: string) => ({ key: 'baseUrl', value, defaultValue: '', share: true, enabled: true })
  const variables = variablesOf([{ name: 'Staging', variables: [variable('https://me:pw@h/')] }])
  assert.is(meaningOf('baseUrl', variables), `https://me:${MASK}@h/ (Staging)`)
  const [from, to] = [{ variables: [variable('https://h/')] }, { variables: [variable('https://me:pw@h/')] }]
  assert.is(fieldDiffs(changesBetween(from, to), { from, to })[0]?.isSecret, true)
  for (const plain of ['https://h/', 'a:b@c', '{"a":"b@c"}']) assert.not(isSecretUrl(plain))
})

test('a URL of many parameters is masked as one of few is', () => {
  const url = (value: string) =>
    `https://api.example?${Array.from({ length: 80_000 }, () => `token=${value}`).join('&')}`
  assert.is(urlMasked(url('1')), url(MASK))
})

test.run()
