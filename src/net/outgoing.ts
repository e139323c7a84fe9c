import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS, type Limit } from '../limits.js'

/** What waits to be sent: counted where it is given to a connection, until the system has taken it. */
export interface Outgoing {
  /** All of it, in bytes. */
  readonly waiting: number
  /**
   * False where so many bytes more would be too many, on that connection or in all. What is small always has room, and on a
   * connection where nothing waits a single answer of any size has, as far as there is room in all.
   */
  hasRoom(response: ServerResponse, bytes: number): boolean
  /** Counts bytes until the function it returns is called, or the connection is closed. */
  add(response: ServerResponse, bytes: number): () => void
}

export interface OutgoingLimits {
  readonly waiting: Limit
  readonly waitingOfOne: Limit
  readonly waitingSmall: Limit
}

/** Counts what waits on the connections of a process. Requests that share a connection share its bound. */
export function outgoingBudget(limits: OutgoingLimits = LIMITS): Outgoing {
  const connections = new WeakMap<Socket, { bytes: number }>()
  let waiting = 0
  const accountOf = (socket: Socket) => {
    const known = connections.get(socket)
    if (known) return known
    const account = { bytes: 0 }
    connections.set(socket, account)
    socket.once('close', () => {
      waiting -= account.bytes
      account.bytes = 0
      connections.delete(socket)
    })
    return account
  }
  return {
    get waiting() {
      return waiting
    },
    hasRoom({ req: { socket } }, bytes) {
      const own = connections.get(socket)?.bytes ?? 0
      if (own + bytes <= limits.waitingSmall.max) return true
      if (own > 0 && own + bytes > limits.waitingOfOne.max) return false
      return waiting + bytes <= limits.waiting.max
    },
    add({ req: { socket } }, bytes) {
      if (socket.destroyed) return () => {}
      const account = accountOf(socket)
      account.bytes += bytes
      waiting += bytes
      let isCounted = true
      return () => {
        // Of a connection that is closed everything has been taken off already.
        if (!isCounted || connections.get(socket) !== account) return
        isCounted = false
        account.bytes -= bytes
        waiting -= bytes
      }
    }
  }
}

/** The budget of this process. */
export const outgoing = outgoingBudget()
