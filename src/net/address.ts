import { isIPv4, isIPv6 } from 'node:net'
import type { AddressPolicy } from '../config/types.js'

const SUBSCRIBER_GROUPS = 4

/**
 * The eight groups of an IPv6 address, in whatever notation it is written; a zone at its end counts for nothing. It is made
 * by hand because ipaddr.js takes `::192.0.2.1` for `::ffff:192.0.2.1`, and refuses zones that systems use.
 */
export function groupsOf(address: string): readonly number[] {
  const [bare = ''] = address.split('%')
  // The parser of URLs writes every notation in hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16))
}

/** The IPv4 address that two groups of an IPv6 address hold. */
export function dotted(high: number, low: number): string {
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`
}

/** The IPv4 address that an address is, also where it is written as an IPv6 one (`::ffff:192.0.2.1`); null for others. */
export function ipv4Of(address: string): string | null {
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return null
  const [a, b, c, d, e, f, high = 0, low = 0] = groupsOf(address)
  const isMapped = [a, b, c, d, e].every((group) => group === 0) && f === 0xffff
  return isMapped ? dotted(high, low) : null
}

/** The first so many groups of an IPv6 address, as text. */
function prefixOf(address: string, groups: number): string {
  return `${groupsOf(address)
    .slice(0, groups)
    .map((group) => group.toString(16))
    .join(':')}::`
}

/**
 * What one sender can send from: an IPv4 address, or the /64 network of an IPv6 address, all of which is one subscriber's.
 * A text that is no address stands for itself.
 */
export function senderOf(address: string): string {
  const ipv4 = ipv4Of(address)
  if (ipv4 !== null) return ipv4
  return isIPv6(address) ? `${prefixOf(address, SUBSCRIBER_GROUPS)}/64` : address
}

/** Addresses in a list of them, as `X-Forwarded-For` has it, without the port that some proxies put behind each. */
export function withoutPorts(list: string): string {
  const bare = list.split(',').map((one) => one.trim().replace(/^([\d.]+):\d+$|^\[([^\]]*)\](?::\d+)?$/, '$1$2'))
  return bare.join(', ')
}

const GROUPS_KEPT = 3

/** What the log keeps of an address under a policy: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
export function keptAddress(address: string | null, policy: AddressPolicy): string | null {
  if (address === null || policy === 'off') return null
  if (policy === 'full') return address
  const ipv4 = ipv4Of(address)
  if (ipv4 !== null) return ipv4.replace(/\d+$/, '0')
  return isIPv6(address) ? prefixOf(address, GROUPS_KEPT) : null
}

/** What the log keeps under a policy of the names and addresses of others that a request is about; of a network as of its addresses. */
export function keptOfOthers(
  { address, ...others }: Readonly<Record<string, string>>,
  policy: AddressPolicy
): Readonly<Record<string, string>> {
  const kept = address === undefined || policy === 'full' ? address : keptAddress(address.replace(/\/.*$/, ''), policy)
  return kept == null ? others : { ...others, address: kept }
}
