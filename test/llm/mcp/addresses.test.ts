import * as assert from 'uvu/assert'
import { isRefusedAddress } from '../../../src/net/guardedAddress.js'
import { suite } from '../../support/suite.js'

const test = suite('addresses of tool servers')

const REFUSED = [
  '169.254.169.254',
  '169.254.0.1',
  '0.0.0.0',
  '0.1.2.3',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'ff02::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:0.0.0.0',
  '::169.254.169.254',
  '::ffff:0:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2001:0:1234::5601:5601',
  'localhost',
  ''
]
const ALLOWED = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.5.4',
  '192.168.1.1',
  '100.64.0.1',
  '8.8.8.8',
  '::1',
  'fd12:3456::1',
  'fc00::1',
  '2606:4700::1111',
  '::ffff:127.0.0.1',
  '64:ff9b::8.8.8.8',
  '2002:0808:0808::1'
]

test('addresses of clouds, of one link, and of no host are refused, in every notation', () => {
  for (const address of REFUSED) assert.is(isRefusedAddress(address), true, address)
})

test('loopback, private networks and the rest of the world are not', () => {
  for (const address of ALLOWED) assert.is(isRefusedAddress(address), false, address)
})

test.run()
