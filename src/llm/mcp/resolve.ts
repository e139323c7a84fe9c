import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isRefusedAddress } from './addresses.js'
import { Refusal } from './refusal.js'

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
    checkedAddresses(host, resolve).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) callback(new Refusal(`The host name ${host} has no address.`), [])
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

async function checkedAddresses(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host)
  // One bad address spoils the name: which one a socket takes depends on which one answers first.
  if (addresses.some(({ address }) => isRefusedAddress(address))) throw refusalOf(host)
  return addresses
}

function refusalOf(host: string): Refusal {
  return new Refusal(`The tool server's host ${host} is at an address that the hub does not connect to.`)
}
