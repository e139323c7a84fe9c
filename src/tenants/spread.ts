import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIMITS } from '../limits.js'
import type { StateStore } from '../storage/storage.js'
import { type Member, Members, type MemberTimes } from './members.js'
import { Vouching } from './vouching.js'

/** By this one process tells another whose request it hands on. */
const HEADER = 'x-hub-handed-on'
/** What is about one connection, and not about the request. */
const OF_CONNECTION = [
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  HEADER
]

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface SpreadOptions {
  /** Where the processes are written down; asked each time. */
  readonly state: () => StateStore
  readonly failed: (error: unknown) => void
  readonly times?: MemberTimes
}

/** A request as one process hands it on to another. */
export interface HandedOn {
  readonly raw: IncomingMessage
  readonly id: string
  readonly address: string
  readonly tenant: string
}

/**
 * How tenants are spread over the processes of a hub: each tenant is served by the process that its id leads to, and whoever gets a
 * request for another's tenant hands it on, by a listener that takes nothing but what another process of the hub vouches for.
 */
export class Spread {
  readonly #options: SpreadOptions
  readonly #vouching = new Vouching()
  readonly #id = randomUUID()
  readonly #agent = new Agent({ keepAlive: true })
  readonly #lives = new Map<string, AbortController>()
  /** The addresses of clients whose requests were handed on to this process. */
  readonly #addresses = new WeakMap<IncomingMessage, string>()
  #server: Server | null = null
  #members: Members | null = null

  constructor(options: SpreadOptions) {
    this.#options = options
  }

  /** Listens where other processes reach this one, passes what they hand on to `handle`, and joins them. */
  async listen(host: string, handle: Handler): Promise<void> {
    const server = createServer(
      {
        maxHeaderSize: LIMITS.headers.max,
        headersTimeout: LIMITS.headersTime.max,
        requestTimeout: LIMITS.requestTime.max,
        keepAliveTimeout: LIMITS.keepAliveTime.max
      },
      (raw, response) => void this.#take(raw, response, handle)
    )
    server.maxConnections = LIMITS.connections.max
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // Its own port also where it is one of several workers, which share the ports that they listen on.
      server.listen({ port: 0, host, exclusive: true }, resolve)
    })
    const { port } = server.address() as AddressInfo
    const self: Member = { id: this.#id, host, port, publicKey: this.#vouching.publicKey }
    const { state, failed, times } = this.#options
    this.#members = new Members(self, state, { failed, gone: ({ id }) => this.#drop(id) }, times)
    await this.#members.join()
  }

  /** The other process that serves a tenant; null where it is this one, or nobody knows of others yet. */
  ownerOf(tenant: string): Member | null {
    return this.#members?.ownerOf(tenant) ?? null
  }

  /** The client's address, of a request that another process has handed on; undefined of any other. */
  addressOf(raw: IncomingMessage): string | undefined {
    return this.#addresses.get(raw)
  }

  /** The same request to another process, without its body, which is the caller's to send. */
  handOn(owner: Member, { raw, id, address, tenant }: HandedOn): ClientRequest {
    const { host, port } = owner
    const { method = 'GET', url = '/' } = raw
    const vouched = this.#vouching.header(this.#id, owner, { address, method, url }, Date.now())
    const headers: OutgoingHttpHeaders = { ...raw.headers }
    for (const name of OF_CONNECTION) delete headers[name]
    Object.assign(headers, { 'x-harbor-tenant': tenant, 'x-request-id': id, [HEADER]: vouched })
    return request({
      host,
      port,
      method,
      path: url,
      headers,
      agent: this.#agent,
      setHost: false,
      signal: this.#lifeOf(owner.id)
    })
  }

  /** It could not be reached. */
  avoid(member: Member): void {
    this.#members?.avoid(member)
  }

  /** Others take over the tenants of this process; what they have handed on already is still answered. */
  async leave(): Promise<void> {
    await this.#members?.leave()
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#agent.destroy()
    if (!server?.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  async #take(raw: IncomingMessage, response: ServerResponse, handle: Handler): Promise<void> {
    const { headers, method = '', url = '' } = raw
    const text = headers[HEADER]
    const members = this.#members
    const address =
      typeof text === 'string' && members
        ? await this.#vouching.addressIn(text, (id) => members.find(id), { method, url }, Date.now()).catch(() => null)
        : null
    if (address === null) return void response.writeHead(403).end()
    this.#addresses.set(raw, address)
    handle(raw, response)
  }

  /** Aborted when the process of this id is gone: it answers nothing any more. */
  #lifeOf(id: string): AbortSignal {
    const life = this.#lives.get(id) ?? new AbortController()
    setMaxListeners(0, life.signal)
    this.#lives.set(id, life)
    return life.signal
  }

  #drop(id: string): void {
    this.#lives.get(id)?.abort()
    this.#lives.delete(id)
  }
}
