import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { complaints, parse } from './parsing.js'

const test = suite('config of webhooks')

const webhooks = (section: unknown) => parse({ webhooks: `webhooks: ${JSON.stringify(section)}` }).config.webhooks
const refusals = (section: unknown) => complaints(() => webhooks(section))

test('without the section there are no webhooks', () => assert.is(parse().config.webhooks, undefined))

test('the key is enough', () =>
  assert.equal(webhooks({ keyFile: 'data/key' }), {
    keyFile: '/etc/hub/data/key',
    allowPrivateAddresses: [],
    timeoutSeconds: 10,
    disableAfterDays: 5
  }))

test('the section without a value is a mistake, and so is one without a key', () => {
  assert.equal(refusals(null), ['webhooks: webhooks must be a mapping; remove the key to send no webhooks.'])
  assert.is(refusals({}).length, 1)
  assert.match(refusals({})[0] ?? '', /^webhooks\.keyFile: /)
})

test('what is allowed are addresses and ranges, and times have bounds', () => {
  const key = { keyFile: 'k' }
  assert.equal(webhooks({ ...key, allowPrivateAddresses: ['10.0.0.0/8', '::1'] })?.allowPrivateAddresses, [
    '10.0.0.0/8',
    '::1'
  ])
  for (const wrong of [
    { allowPrivateAddresses: ['localhost'] },
    { allowPrivateAddresses: ['10.0.0.0/33'] },
    { timeoutSeconds: 0 },
    { timeoutSeconds: 61 },
    { disableAfterDays: 0 },
    { disableAfterDays: 31 },
    { keyfile: 'x' }
  ])
    assert.is(refusals({ ...key, ...wrong }).length, 1, JSON.stringify(wrong))
})

test.run()
