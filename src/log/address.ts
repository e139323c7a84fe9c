import { isIPv6 } from 'node:net'
import { ipv4Of, prefixOf } from '../address.js'
import type { AddressPolicy } from '../config/types.js'

const GROUPS_KEPT = 3

/** What the log keeps of an address under a policy: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
export function keptAddress(address: string | null, policy: AddressPolicy): string | null {
  if (address === null || policy === 'off') return null
  if (policy === 'full') return address
  const ipv4 = ipv4Of(address)
  if (ipv4 !== null) return ipv4.replace(/\d+$/, '0')
  return isIPv6(address) ? prefixOf(address, GROUPS_KEPT) : null
}
