import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AnswerGuard, bodyGuard, EventGuard, guarded } from '../answerGuard.js'
import { Refusal } from './refusal.js'
import { guardedLookup, type Resolve, refuseAddressIn } from './resolve.js'

export interface GuardedRequest {
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal
  readonly resolve: Resolve
  /** For a whole body, or for one event where the answer is an event stream. */
  readonly limit_bytes: number
  /** Called once when the body is over, with the error where it broke off. Not called when the promise rejects. */
  readonly onEnd: (error: Error | null) => void
}

const REDIRECTS = [301, 302, 303, 307, 308]
const WITHOUT_BODY = [204, 205, 304]

/**
 * `fetch` for addresses that come from a configuration: it connects to checked addresses only, follows no redirect
 * (which would carry the credentials in the headers elsewhere), and reads no more than it is allowed to.
 * It stands on node:http because the fetch of Node has no say in how a name is resolved.
 */
export async function guardedFetch(url: URL, options: GuardedRequest): Promise<Response> {
  options.signal.throwIfAborted()
  refuseAddressIn(url)
  const answer = await send(url, options)
  const refusal = refusalOf(answer)
  if (refusal !== null) {
    answer.destroy()
    throw refusal
  }
  const status = answer.statusCode ?? 0
  const init = { status, statusText: answer.statusMessage ?? '', headers: headersOf(answer) }
  if (WITHOUT_BODY.includes(status)) {
    answer.resume()
    options.onEnd(null)
    return new Response(null, init)
  }
  const isEventStream = answer.headers['content-type']?.startsWith('text/event-stream') ?? false
  return new Response(bodyOf(answer, guardOf(isEventStream, options.limit_bytes), options.onEnd), init)
}

function guardOf(isEventStream: boolean, limit_bytes: number): AnswerGuard {
  const tooLarge = () =>
    new Refusal(`The tool server's answer is larger than ${limit_bytes} bytes, or has too many values in it.`)
  // An event stream may live for days: only each event is bounded.
  return isEventStream
    ? new EventGuard({ body_bytes: Number.POSITIVE_INFINITY, event_bytes: limit_bytes, tooLarge })
    : bodyGuard({ body_bytes: limit_bytes, tooLarge })
}

function send(url: URL, { method, headers, body, signal, resolve }: GuardedRequest): Promise<IncomingMessage> {
  return new Promise((resolveAnswer, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      // An answer that arrives compressed could not be measured before it is unpacked.
      headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
      lookup: guardedLookup(resolve),
      // A connection each: on a kept one, nobody can tell a call that was never read from one that was carried out.
      agent: false
    })
    let answer: IncomingMessage | undefined
    const abort = () => void (answer ?? request).destroy(abortErrorOf(signal))
    signal.addEventListener('abort', abort, { once: true })
    request.once('close', () => signal.removeEventListener('abort', abort))
    request.on('error', reject)
    request.once('response', (response) => {
      answer = response
      resolveAnswer(response)
    })
    request.end(body)
  })
}

function refusalOf({ statusCode = 0, headers }: IncomingMessage): Refusal | null {
  if (REDIRECTS.includes(statusCode)) return new Refusal('The tool server redirects, which the hub does not follow.')
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' ? null : new Refusal('The tool server compresses its answers without being asked to.')
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  return headers
}

function bodyOf(
  answer: IncomingMessage,
  guard: AnswerGuard,
  onEnd: GuardedRequest['onEnd']
): ReadableStream<Uint8Array> {
  const pieces = guarded(answer, guard)
  // The iterator listens from the first chunk on only, and an error that nobody listens for ends the process.
  answer.on('error', () => undefined)
  let ended = false
  const end = (error: Error | null) => {
    if (!ended) onEnd(error)
    ended = true
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (ended) return
        if (!done) return controller.enqueue(value)
        controller.close()
        end(null)
      } catch (error) {
        answer.destroy()
        end(error instanceof Error ? error : new Error(String(error)))
        throw error
      }
    },
    cancel() {
      end(null)
      answer.destroy()
    }
  })
}

function abortErrorOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('The request was aborted', 'AbortError')
}
