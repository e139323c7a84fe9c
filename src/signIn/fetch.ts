import { once } from '../lib/once.js'
import {
  type AddressRule,
  guardedLookup,
  notPublic,
  type Resolve,
  refuseAddressIn,
  systemResolve
} from '../net/guardedAddress.js'

const TIMEOUT_MS = 5000
const ANSWER_BYTES_MAX = 1024 * 1024

/** Why a provider cannot be asked, in words that hold nothing that it has sent. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
  readonly code = 'PROVIDER_UNREACHABLE'
}

/** What is wrong with what a provider says, in words of the hub. */
export class ProviderWrong extends Error {
  override readonly name = 'ProviderWrong'
  readonly code = 'PROVIDER_WRONG'
}

/** How providers are reached; what is left out is as it is on a hub. */
export interface Reach {
  readonly resolve?: Resolve
  readonly timeout_ms?: number
}

export interface FetchOptions extends Reach {
  /** The host that the operator has named: it may be anywhere. What it leads to must be public, or allowed. */
  readonly host: string
  readonly allowPrivateAddresses: readonly string[]
}

/** What is asked of a provider; a part of what the platform's own `fetch` takes. */
export interface FetchInit {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

/**
 * Asks a provider: it follows no redirect, waits five seconds at most and reads a megabyte at most, and connects to no private address
 * that nobody has allowed but that of the issuer's own host. Rejects with `ProviderUnreachable`.
 */
export function providerFetch({
  host,
  allowPrivateAddresses,
  resolve = systemResolve,
  timeout_ms = TIMEOUT_MS
}: FetchOptions) {
  const rule: AddressRule = {
    isRefused: notPublic(allowPrivateAddresses),
    refused: () => new ProviderUnreachable('The provider leads to an address that the hub does not connect to.'),
    unknown: () => new ProviderUnreachable('The host name of the provider has no address.')
  }
  const loading = once(async () => {
    const { Agent, fetch } = await import('undici')
    return { fetch, own: new Agent(), elsewhere: new Agent({ connect: { lookup: guardedLookup(resolve, rule) } }) }
  })
  return async (address: string, { method = 'GET', headers = {}, body }: FetchInit = {}): Promise<Response> => {
    const url = new URL(address)
    const isOwn = url.host === host
    try {
      if (!isOwn) refuseAddressIn(url, rule)
      const signal = AbortSignal.timeout(timeout_ms)
      const { fetch, own, elsewhere } = await loading()
      const dispatcher = isOwn ? own : elsewhere
      const sent = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : null
      const answer = await fetch(url, { method, headers, body: sent, redirect: 'manual', signal, dispatcher })
      if (answer.status >= 300 && answer.status < 400)
        throw new ProviderUnreachable('The provider answers with a redirect, which the hub does not follow.')
      const bytes = await bounded(answer.body)
      const { status, statusText } = answer
      return new Response(status === 204 ? null : bytes, { status, statusText, headers: [...answer.headers] })
    } catch (error) {
      if (error instanceof ProviderUnreachable) throw error
      const cause = error instanceof Error && error.cause instanceof ProviderUnreachable ? error.cause : null
      if (cause) throw cause
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const why = isLate ? `did not answer within ${timeout_ms / 1000} seconds` : 'cannot be reached'
      throw new ProviderUnreachable(`The provider ${why}.`, { cause: error })
    }
  }
}

async function bounded(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.length
    if (length > ANSWER_BYTES_MAX) throw new ProviderUnreachable('The provider answers with too much.')
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
