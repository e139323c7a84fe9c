import * as assert from 'uvu/assert'
import { redisKeys } from '../../src/throttle/redis.js'
import { throttleKey, throttleKeyOfAddress, throttleKeyOfInvitations } from '../../src/throttle/throttle.js'
import { suite } from '../support/suite.js'

const test = suite('throttle keys')

test('a key is the address and the hash of the secret, or none', () => {
  assert.is(throttleKey('192.0.2.1', 'ab12'), '192.0.2.1:ab12')
  assert.is(throttleKey('2001:db8::1', null), '2001:db8::1:none')
})

test('without regard to the secret a sender is counted: an IPv4 address, or an IPv6 network of 64 bits', () => {
  for (const [address, sender] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::2%eth1', 'fe80:0:0:0::/64'],
    ['', '']
  ] as const) {
    assert.is(throttleKeyOfAddress(address), `${sender}:any`)
    assert.is(throttleKeyOfInvitations(address), `${sender}:invitation`)
  }
})

test('Redis holds a counter and a block for each key, behind a prefix that one colon sets off', () => {
  assert.equal(redisKeys('', '192.0.2.1:none'), ['throttle:fail:192.0.2.1:none', 'throttle:block:192.0.2.1:none'])
  for (const prefix of ['hub', 'hub:']) assert.is(redisKeys(prefix, 'k')[0], 'hub:throttle:fail:k')
})

test.run()
