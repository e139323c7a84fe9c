import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What becomes of the next commit that passes. */
type Cut = 'before it reaches the server' | 'before its answer reaches the client'

/** A network between a client and a database server that a test cuts, freezes and takes down. */
export interface Network {
  readonly port: number
  /** Cuts the connection at the next commits, one for each of these. */
  cutAt(...cuts: readonly Cut[]): void
  /** How many of those cuts are still to come. */
  readonly cutsLeft: number
  /** Ends every connection and accepts no new one. */
  down(): Promise<void>
  /** Accepts connections again. */
  up(): Promise<void>
  /** Passes nothing on any more, and says nothing about it. */
  freeze(): void
  /** Passes everything on again; with `newOnly` what was begun before stays stuck, as behind a router that has forgotten it. */
  thaw(newOnly?: boolean): void
  /** Ends every connection; new ones are let in. */
  reset(): void
  /** From now on holds back for so long whatever passes, in either direction. */
  slow(delay_ms: number): void
  /** Ends every connection; new ones are led to this server. */
  lead(server: Place): void
  stop(): Promise<void>
}

/** Where a server listens. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** How a database's protocol is read on its way. */
export interface Wire {
  /** True for what a client sends that ends a transaction. */
  isCommit(data: Buffer): boolean
  /** True for the server's answer that it has. */
  isAnswer(data: Buffer): boolean
}

/** The wire of a network at which no commit is cut. */
const unread: Wire = { isCommit: () => false, isAnswer: () => false }

/** Starts a network in front of a server. */
export async function startNetwork(server: Place, wire: Wire = unread): Promise<Network> {
  const cuts: Cut[] = []
  const sockets = new Set<Socket>()
  let [isFrozen, delay_ms, target] = [false, 0, server]

  const listener = createServer((client) => {
    const upstream = connect(target.port, target.host)
    const both = [client, upstream]
    const end = () => {
      for (const socket of both) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
      if (isFrozen) socket.pause()
    }
    const [toServer, toClient] = [passing(upstream, () => delay_ms), passing(client, () => delay_ms)]
    let isAwaitingAnswer = false
    client.on('data', (data) => {
      if (cuts.length > 0 && wire.isCommit(data) && !isAwaitingAnswer) {
        if (cuts.shift() === 'before it reaches the server') return end()
        isAwaitingAnswer = true
      }
      toServer(data)
    })
    upstream.on('data', (data) => {
      // The server says that it has committed, which nobody will hear.
      if (isAwaitingAnswer && wire.isAnswer(data)) return end()
      toClient(data)
    })
  })
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.')
    return address.port
  }
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const port = await listen(0)
  return {
    port,
    cutAt: (...more) => void cuts.push(...more),
    get cutsLeft() {
      return cuts.length
    },
    async down() {
      listener.close()
      endAll()
    },
    async up() {
      await listen(port)
    },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw(newOnly = false) {
      isFrozen = false
      if (!newOnly) for (const socket of sockets) socket.resume()
    },
    reset: endAll,
    slow(more_ms) {
      delay_ms = more_ms
    },
    lead(other) {
      target = other
      endAll()
    },
    async stop() {
      listener.close()
      endAll()
    }
  }
}

/** Writes to a socket, each piece behind the one before it and as late as `delay_ms` says when it comes. */
function passing(socket: Socket, delay_ms: () => number): (data: Buffer) => void {
  let last: Promise<unknown> | undefined
  return (data) => {
    if (delay_ms() === 0 && last === undefined) return void socket.write(data)
    const mine = Promise.all([last, sleep(delay_ms())]).then(() => {
      if (!socket.destroyed) socket.write(data)
      if (last === mine) last = undefined
    })
    last = mine
  }
}
