import * as assert from 'uvu/assert'
import { redisKeys } from '../../src/throttle/redis.js'
import { throttleKey } from '../../src/throttle/throttle.js'
import { suite } from '../support/suite.js'

const test = suite('throttle keys')

test('a key is the address and the hash of the secret', () => {
  assert.is(throttleKey('192.0.2.1', 'ab12'), '192.0.2.1:ab12')
})

test('without a secret the key says none', () => {
  assert.is(throttleKey('2001:db8::1', null), '2001:db8::1:none')
})

test('Redis holds a counter and a block for each key', () => {
  assert.equal(redisKeys('', '192.0.2.1:none'), ['throttle:fail:192.0.2.1:none', 'throttle:block:192.0.2.1:none'])
})

test('the prefix in Redis is set off by one colon, whether it ends in one or not', () => {
  for (const prefix of ['hub', 'hub:']) assert.is(redisKeys(prefix, 'k')[0], 'hub:throttle:fail:k')
})

test.run()
