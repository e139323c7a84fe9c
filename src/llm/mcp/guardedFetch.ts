import { Agent, request } from 'undici'
import {
  type AddressRule,
  guardedLookup,
  isRefusedAddress,
  type Resolve,
  refuseAddressIn
} from '../../guardedAddress.js'
import { guardedBody, guardFor } from '../responseGuard.js'
import { Refusal } from './failure.js'

export interface GuardedRequest {
  readonly method: string
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal
}

const REDIRECTS = [301, 302, 303, 307, 308]
const WITHOUT_BODY = [204, 205, 304]

/** Loopback and private networks are open to tool servers: that is where they usually are. */
const rule: AddressRule = {
  isRefused: isRefusedAddress,
  refused: (host) => new Refusal(`The tool server's host ${host} is at an address that the hub does not connect to.`),
  unknown: (host) => new Refusal(`The host name ${host} has no address.`)
}

/**
 * A `fetch` for addresses that come from a configuration: it connects to checked addresses only, follows no redirect
 * (which would carry the credentials in the headers elsewhere), and reads no more than so many bytes of a whole body, or of one
 * event where the answer is an event stream, which may live for days. How long it may take is the signal's to say. `onEnd` is
 * called once when the body is over, with the error where it broke off, and not where the promise rejects.
 */
export function guardedFetch(resolve: Resolve, limit_bytes: number) {
  const dispatcher = new Agent({
    connect: { lookup: guardedLookup(resolve, rule), timeout: 0 },
    headersTimeout: 0,
    bodyTimeout: 0,
    // A connection each: on a kept one, nobody can tell a call that was never read from one that was carried out.
    pipelining: 0
  })
  const tooLarge = () =>
    new Refusal(`The tool server's answer is larger than ${limit_bytes} bytes, or has too many values in it.`)
  const limits = { body_bytes: limit_bytes, event_bytes: limit_bytes, tooLarge }
  return async (url: URL, { headers, ...sent }: GuardedRequest, onEnd: (error: Error | null) => void) => {
    sent.signal.throwIfAborted()
    refuseAddressIn(url, rule)
    // An answer that arrives compressed could not be measured before it is unpacked.
    const asked = { ...Object.fromEntries(headers), 'accept-encoding': 'identity' }
    const answer = await request(url, { dispatcher, ...sent, headers: asked })
    const { statusCode: status, statusText, headers: received } = answer
    const stop = () => void answer.body.on('error', () => undefined).destroy()
    const refusal = refusalOf(status, received['content-encoding'])
    if (refusal !== null) {
      stop()
      throw refusal
    }
    const init = { status, statusText, headers: headersOf(received) }
    if (WITHOUT_BODY.includes(status)) {
      stop()
      onEnd(null)
      return new Response(null, init)
    }
    const guard = guardFor(init.headers.get('content-type'), limits)
    return new Response(guardedBody(answer.body, guard, { stop, onEnd }), init)
  }
}

function refusalOf(status: number, encoding: string | readonly string[] = 'identity'): Refusal | null {
  if (REDIRECTS.includes(status)) return new Refusal('The tool server redirects, which the hub does not follow.')
  return encoding === 'identity' ? null : new Refusal('The tool server compresses its answers without being asked to.')
}

function headersOf(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value)
  }
  return headers
}
