import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { startUpstream } from './upstream.js'

/** A server whose replies a test writes, and clients of it. */
export interface Served {
  /** Sends a request; resolves when the headers of the reply are there. */
  request(): Promise<IncomingMessage>
  close(): Promise<void>
}

/** Serves every request with `respond`. */
export async function serve(respond: (response: ServerResponse) => void): Promise<Served> {
  const { url, close } = await startUpstream(() => respond)
  return {
    close,
    request: () =>
      new Promise((resolve, reject) => {
        get(url, { agent: false }, resolve).once('error', reject)
      })
  }
}

/** The rest of a reply, as text. */
export async function textOf(reply: IncomingMessage): Promise<string> {
  let text = ''
  reply.setEncoding('utf8')
  for await (const part of reply) text += part
  return text
}

/** A reply while it comes: `until` waits for what it is to hold so far, `text` for all of it. */
export function reading(reply: IncomingMessage): {
  readonly text: Promise<string>
  until(pattern: RegExp): Promise<void>
} {
  let text = ''
  reply.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const ended = once(reply, 'end').then(() => text)
  // Whoever waits for the text is told; whoever does not is not to be disturbed.
  ended.catch(() => undefined)
  return {
    text: ended,
    async until(pattern) {
      while (!pattern.test(text)) await Promise.race([once(reply, 'data'), ended.then(() => assertHeld(text, pattern))])
    }
  }
}

function assertHeld(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`The reply ended without ${pattern}: ${text}`)
}

/** The events of a stream as a client reads them; fails on anything that is neither an event nor a comment. */
export function eventsOf(text: string): readonly Record<string, unknown>[] {
  return text.split('\n\n').flatMap((block, at, blocks) => {
    if (block === '' && at === blocks.length - 1) return []
    if (/^: [^\n]*$/.test(block)) return []
    const data = /^data: ([^\n]+)$/.exec(block)?.[1]
    if (data === undefined) throw new Error(`Neither an event nor a comment: ${block}`)
    return [JSON.parse(data)]
  })
}
