import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CountsById } from '../lib/countsById.js'
import { LIMITS, type Limit } from '../limits.js'

/** What waits to be sent: counted where it is given to a connection, until the system has taken it. */
export interface Outgoing {
  /** All of it, in bytes. */
  readonly waiting: number
  /**
   * False where so many bytes more would be too many, on that connection, for that account or in all: several answers to one
   * account have half. What is small always has room, and on a connection where nothing waits a single answer of any size has, as
   * far as there is room in all.
   */
  hasRoom(response: ServerResponse, bytes: number, account?: string | null): boolean
  /** Counts bytes until the function it returns is called, or the connection is closed. */
  add(response: ServerResponse, bytes: number, account?: string | null): () => void
}

export interface OutgoingLimits {
  readonly waiting: Limit
  readonly waitingOfOne: Limit
  readonly waitingSmall: Limit
}

/** What waits on a connection, and how each part of it is taken off. */
interface Connection {
  bytes: number
  readonly parts: Set<() => void>
}

/** Counts what waits on the connections of a process. Requests that share a connection share its bound. */
export function outgoingBudget(limits: OutgoingLimits = LIMITS): Outgoing {
  const connections = new WeakMap<Socket, Connection>()
  const accounts = new CountsById()
  let waiting = 0
  const connectionOf = (socket: Socket) => {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { bytes: 0, parts: new Set() }
    connections.set(socket, connection)
    socket.once('close', () => {
      for (const takeOff of connection.parts) takeOff()
    })
    return connection
  }
  return {
    get waiting() {
      return waiting
    },
    hasRoom({ req: { socket } }, bytes, account = null) {
      const own = connections.get(socket)?.bytes ?? 0
      if (own + bytes <= limits.waitingSmall.max) return true
      if (own > 0 && own + bytes > limits.waitingOfOne.max) return false
      const ofAccount = account === null ? 0 : accounts.of(account)
      if (ofAccount > 0 && ofAccount + bytes > limits.waiting.max / 2) return false
      return waiting + bytes <= limits.waiting.max
    },
    add({ req: { socket } }, bytes, account = null) {
      if (socket.destroyed) return () => {}
      const connection = connectionOf(socket)
      const count = (more: number) => {
        connection.bytes += more
        waiting += more
        if (account !== null) accounts.addAmount(account, more)
      }
      // Once: by whoever has sent it, or as the connection is closed.
      const takeOff = () => {
        if (connection.parts.delete(takeOff)) count(-bytes)
      }
      connection.parts.add(takeOff)
      count(bytes)
      return takeOff
    }
  }
}

/** The budget of this process. */
export const outgoing = outgoingBudget()
