import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { dotted, groupsOf } from './address.js'

// Where clouds answer with the credentials of the machine, what only exists on one link, and what is no host at all.
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

// This machine, networks of one's own, and what stands in for addresses in documents and measurements.
const PRIVATE_IPV4 = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24]
] as const
const PRIVATE_IPV6 = [
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fec0::', 10]
] as const

type Range = readonly [net: string, bits: number]

const refused = blockList(REFUSED_IPV4, REFUSED_IPV6)
const privates = blockList(PRIVATE_IPV4, PRIVATE_IPV6)

function blockList(ipv4: readonly Range[], ipv6: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const [net, bits] of ipv4) list.addSubnet(net, bits, 'ipv4')
  for (const [net, bits] of ipv6) list.addSubnet(net, bits, 'ipv6')
  return list
}

/**
 * True for the addresses that the hub connects to for nobody: link-local and multicast ones, those of cloud metadata
 * services, and every IPv6 notation that leads to such an IPv4 address. Anything that is no address is refused as well.
 */
export function isRefusedAddress(address: string): boolean {
  const [bare = ''] = address.split('%')
  return isIP(bare) === 0 || isIn(refused, bare)
}

/**
 * True for the addresses that somebody who may name any URL must not make the hub connect to: those of `isRefusedAddress`, and
 * this machine and private networks, except for the ranges that are allowed: addresses, or CIDR ranges.
 */
export function notPublic(allowed: readonly string[]): (address: string) => boolean {
  const open = allowedList(allowed)
  return (address) => {
    const [bare = ''] = address.split('%')
    return isRefusedAddress(address) || (isIn(privates, bare) && !open.check(...checked(bare)))
  }
}

function allowedList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', bits] = range.split('/')
    const family = isIPv4(net) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(net, family)
    else list.addSubnet(net, Number(bits), family)
  }
  return list
}

/** True where the address, or the IPv4 address inside an IPv6 one, is in the list. */
function isIn(list: BlockList, address: string): boolean {
  if (isIPv4(address)) return list.check(address, 'ipv4')
  const inner = ipv4Inside(groupsOf(address))
  return list.check(address, 'ipv6') || (inner !== null && list.check(inner, 'ipv4'))
}

/** The address as an allowed range is written that holds it: of an IPv6 address that leads to an IPv4 one, that one. */
function checked(address: string): [address: string, family: 'ipv4' | 'ipv6'] {
  if (isIPv4(address)) return [address, 'ipv4']
  const inner = ipv4Inside(groupsOf(address))
  return inner === null ? [address, 'ipv6'] : [inner, 'ipv4']
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

/** Which addresses are refused to whom, and what says so. */
export interface AddressRule {
  isRefused(address: string): boolean
  /** The error for a host at a refused address. */
  refused(host: string): Error
  /** The error for a host name without any address. */
  unknown(host: string): Error
}

/**
 * The `lookup` of a socket that only ever hands out checked addresses. The socket connects to what it is handed, so a
 * name that answers differently the next time gains nothing.
 */
export function guardedLookup(resolve: Resolve, rule: AddressRule): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        // One bad address spoils the name: which one a socket takes depends on which one answers first.
        if (addresses.some(({ address }) => rule.isRefused(address))) callback(rule.refused(host), [])
        else if (first === undefined) callback(rule.unknown(host), [])
        else if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, [])
    )
  }
}

/** Rejects a URL whose host is an address that is refused; sockets ask no `lookup` about those. */
export function refuseAddressIn(url: URL, rule: AddressRule): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && rule.isRefused(host)) throw rule.refused(host)
}
