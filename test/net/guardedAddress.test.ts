import * as assert from 'uvu/assert'
import { isRefusedAddress, notPublic } from '../../src/net/guardedAddress.js'
import { suite } from '../support/suite.js'

const test = suite('addresses that are guarded')

const words = (text: string) => text.trim().split(/\s+/)

const NOBODYS = words(`
  169.254.169.254 169.254.0.1 0.0.0.0 0.1.2.3 100.100.100.200 168.63.129.16 192.0.0.192 224.0.0.1 255.255.255.255
  :: fe80::1 fe80::1%eth0 febf::1 ff02::1 fd00:ec2::254 fd20:ce::254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe
  ::ffff:0.0.0.0 ::169.254.169.254 ::ffff:0:169.254.169.254 64:ff9b::169.254.169.254 64:ff9b:1::a9fe:a9fe
  2002:a9fe:a9fe::1 2001:0:1234::5601:5601 localhost
`)
const PRIVATE = words(`
  127.0.0.1 127.8.9.10 10.0.0.1 172.16.5.4 192.168.1.1 100.64.0.1 198.18.0.1 ::1 fc00::1 fd12:3456::1
  ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::10.0.0.1 2002:7f00:1::1
`)
const PUBLIC = words('8.8.8.8 1.1.1.1 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:0808:0808::1')

for (const [what, addresses, isRefused, isPrivate] of [
  ['of clouds, of one link, and of no host are refused to everybody', [...NOBODYS, ''], true, true],
  ['of this machine and of private networks are refused to whoever may name any URL', PRIVATE, false, true],
  ['of the rest of the world are refused to nobody', PUBLIC, false, false]
] as const)
  test(`those ${what}, in every notation`, () => {
    for (const address of addresses)
      assert.equal([isRefusedAddress(address), notPublic([])(address)], [isRefused, isPrivate], address)
  })

test('what is allowed is allowed in every notation, and nothing beside it', () => {
  const isRefused = notPublic(['10.1.0.0/16', 'fd12:3456::/32', '127.0.0.1'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd12:3456::7', '127.0.0.1'])
    assert.is(isRefused(address), false, address)
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd12:3457::7', '::1']) assert.is(isRefused(address), true, address)
})

test('addresses of cloud metadata stay refused, whatever is allowed', () => {
  const isRefused = notPublic(['0.0.0.0/0', '::/0'])
  for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '100.100.100.200'])
    assert.is(isRefused(address), true, address)
})

test.run()
