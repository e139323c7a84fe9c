import { get, type IncomingMessage } from 'node:http'
import * as assert from 'uvu/assert'
import { type Fields, fields } from './client.js'
import { until } from './support.js'

/** A client of a stream of events that remembers where it was, as a browser does. */
export class Listener {
  /** The data of the events that have come, over all connections. */
  readonly told: Fields[] = []
  lastId: string | undefined
  headers: IncomingMessage['headers'] = {}
  readonly url: string
  #response: IncomingMessage | undefined

  constructor(url: string, after?: number) {
    this.url = url
    this.lastId = after === undefined ? undefined : String(after)
  }

  /** Connects, as an account or with what the path brings; the status of the answer. */
  open(path: string, account?: { readonly token: string }): Promise<number> {
    const headers = {
      accept: 'text/event-stream',
      ...(account && { authorization: `Bearer ${account.token}` }),
      ...(this.lastId !== undefined && { 'last-event-id': this.lastId })
    }
    return new Promise((resolve, reject) => {
      get(`${this.url}${path}`, { headers, agent: false }, (response) => {
        this.#response = response.setEncoding('utf8')
        this.headers = response.headers
        let rest = ''
        response.on('data', (chunk: string) => {
          const events = (rest + chunk).split('\n\n')
          rest = events.pop() ?? ''
          for (const event of events) this.#take(event)
        })
        response.on('error', () => {})
        resolve(response.statusCode ?? 0)
      }).on('error', reject)
    })
  }

  /** An event counts when it has come whole: of one that is cut off the id is not the last either. */
  #take(event: string): void {
    for (const line of event.split('\n')) {
      if (line.startsWith('id: ')) this.lastId = line.slice(4)
      if (line.startsWith('data: ')) this.told.push(fields(JSON.parse(line.slice(6))))
    }
  }

  get isOpen(): boolean {
    return this.#response !== undefined && !this.#response.closed && !this.#response.complete
  }

  close(): void {
    this.#response?.destroy()
    this.#response = undefined
  }

  /** Resolves when so many were told, and no more. */
  async hears(count: number): Promise<void> {
    await until(() => (this.told.length >= count ? true : null))
    assert.is(this.told.length, count)
  }

  /** Resolves when the stream has ended by itself. */
  ended(): Promise<true> {
    return until(() => (this.isOpen ? null : true))
  }
}
