import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { dotted, groupsOf } from '../../address.js'
import { Refusal } from './failure.js'

// Where clouds answer with the credentials of the machine, what only exists on one link, and what is no host at all.
// Loopback and private networks stay open: that is where tool servers usually are.
const REFUSED_IPV4 = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4]
] as const
const REFUSED_IPV6 = [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128]
] as const

const refused = new BlockList()
for (const [net, bits] of REFUSED_IPV4) refused.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of REFUSED_IPV6) refused.addSubnet(net, bits, 'ipv6')

/**
 * True for the addresses that the hub connects to for nobody: link-local and multicast ones, those of cloud metadata
 * services, and every IPv6 notation that leads to such an IPv4 address. Anything that is no address is refused as well.
 */
export function isRefusedAddress(address: string): boolean {
  const [bare = ''] = address.split('%')
  if (isIP(bare) === 0) return true
  if (isIPv4(bare)) return refused.check(bare, 'ipv4')
  const inner = ipv4Inside(groupsOf(bare))
  return refused.check(bare, 'ipv6') || (inner !== null && refused.check(inner, 'ipv4'))
}

/** The IPv4 address to which a packet for this IPv6 address goes in the end; null where there is none. */
function ipv4Inside([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0]: readonly number[]): string | null {
  const startsWithZeros = a === 0 && b === 0 && c === 0 && d === 0
  const mapped = startsWithZeros && e === 0 && f === 0xffff
  const translated = startsWithZeros && e === 0xffff && f === 0
  const compatible = startsWithZeros && e === 0 && f === 0 && (g !== 0 || h > 1)
  const nat64 = a === 0x64 && b === 0xff9b
  if (mapped || translated || compatible || nat64) return dotted(g, h)
  if (a === 0x2002) return dotted(b, c)
  const teredo = a === 0x2001 && b === 0
  return teredo ? dotted(g ^ 0xffff, h ^ 0xffff) : null
}

/** Every address of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/** Resolves as the rest of the machine does. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true })

/**
 * The `lookup` of a socket that only ever hands out checked addresses. The socket connects to what it is handed, so a
 * name that answers differently the next time gains nothing.
 */
export function guardedLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        // One bad address spoils the name: which one a socket takes depends on which one answers first.
        if (addresses.some(({ address }) => isRefusedAddress(address))) callback(refusalOf(host), [])
        else if (first === undefined) callback(new Refusal(`The host name ${host} has no address.`), [])
        else if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, [])
    )
  }
}

/** Rejects a URL whose host is an address that is refused; sockets ask no `lookup` about those. */
export function refuseAddressIn(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isRefusedAddress(host)) throw refusalOf(host)
}

function refusalOf(host: string): Refusal {
  return new Refusal(`The tool server's host ${host} is at an address that the hub does not connect to.`)
}
