import { isIPv4, isIPv6 } from 'node:net'
import type { AddressPolicy } from '../config/types.js'

const GROUPS = 8
const GROUPS_KEPT = 3

/** What the log keeps of an address under a policy: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
export function keptAddress(address: string | null, policy: AddressPolicy): string | null {
  if (address === null || policy === 'off') return null
  if (policy === 'full') return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || isIPv4(address)) return (mapped ?? address).replace(/\d+$/, '0')
  return isIPv6(address) ? `${groupsOf(address).slice(0, GROUPS_KEPT).join(':')}::` : null
}

/** The eight groups of an IPv6 address, those that `::` leaves out being 0. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const [left, right] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''))
  const known = [...(left ?? []), ...(right ?? [])].length
  return [...(left ?? []), ...Array.from({ length: GROUPS - known }, () => '0'), ...(right ?? [])]
}
