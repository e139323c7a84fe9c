import { type Agent, request } from 'node:http'

/** A request of one kind: all requests of a kind get answers of about the same size. */
export interface Asked {
  readonly kind: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly secret: string
  /** A text as it is, and anything else as JSON. */
  readonly body?: object | string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type Ask = (asked: Asked) => Promise<Answer>

/** Sends requests over the connections of an agent, as the client library of a desktop does; rejects what is no 2xx. */
export function asker(port: number, agent: Agent, take: (asked: Asked, answer: Answer) => void = () => {}) {
  let asked = 0
  const ask: Ask = async (what) => {
    asked++
    const answer = await sent(port, agent, what)
    if (answer.status > 299) throw new Error(`${what.method} ${what.path}: ${answer.status} ${answer.body}`)
    take(what, answer)
    return answer
  }
  return { ask, count: () => asked }
}

function sent(port: number, agent: Agent, { kind, method, path, secret, body }: Asked): Promise<Answer> {
  const text = typeof body === 'string' ? body : body && JSON.stringify(body)
  const headers = {
    ...{ authorization: `Bearer ${secret}`, accept: 'application/json', 'x-kind': kind },
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  }
  return new Promise((resolve, reject) => {
    request({ port, agent, method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(given), body: Buffer.concat(parts) })
      })
    })
      .on('error', reject)
      .end(text)
  })
}
