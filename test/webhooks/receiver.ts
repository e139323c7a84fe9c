import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { onceAfterwards } from '../support/afterwards.js'

const message = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.object({ position: z.number(), kind: z.string(), id: z.string(), collectionId: z.string().nullable() })
})

/** One request that a receiver has got. */
interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly messageId: string
}

/** How a receiver answers: a status with headers and a body, or not at all. */
export type Answer =
  | 'silence'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }

export interface Receiver {
  readonly url: string
  /** Everything that came, in its order. */
  readonly received: readonly Received[]
  /** How the next requests are answered; 204 by default. */
  answers: (request: Received) => Answer | Promise<Answer>
  close(): Promise<void>
}

/** Somebody who is told of changes, on this machine, until they are closed or the test is over. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const one = await readFrom(request)
    received.push(one)
    const answer = await receiver.answers(one)
    if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers: () => ({ status: 204 }),
    close: onceAfterwards(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  }
  return receiver
}

async function readFrom(request: IncomingMessage): Promise<Received> {
  const body = await text(request)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  return { path: request.url ?? '', headers, body, messageId: headers['webhook-id'] ?? '' }
}

/** What a request says of a change. */
export function changeIn({ body }: Pick<Received, 'body'>) {
  const { data, ...rest } = message.parse(JSON.parse(body))
  return { ...rest, ...data }
}

/** The ids of what changed, in the order in which a receiver was told of it. */
export function subjects({ received }: Pick<Receiver, 'received'>): readonly string[] {
  return received.map((one) => changeIn(one).id)
}
