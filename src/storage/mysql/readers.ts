import { StorageUnavailable } from '../storage.js'
import type { Connection } from './connection.js'

/** Connections that are shared by those who read: each serves one at a time. */
export interface Readers {
  /** Lends a connection. Throws `StorageUnavailable` when none is free in time or all are closed, and what `open` throws. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Says goodbye on every connection. One that is still being opened ends when it is open; no other is opened. */
  close(): Promise<void>
  /** Ends every connection at once, in the same way. */
  destroy(): void
}

interface Waiting {
  readonly take: (connection: Connection) => void
  readonly fail: (error: unknown) => void
}

/** Longer than a connection may take to open, so that what is wrong with it is told. */
const PATIENCE_MS = 3500

/** Readers on at most so many connections, which `open` opens when they are needed. */
export function mysqlReaders(open: () => Promise<Connection>, most: number): Readers {
  const idle: Connection[] = []
  const waiting = new Set<Waiting>()
  const connections = new Set<Connection>()
  let opening = 0
  let isClosed = false

  const next = (): Waiting | undefined => {
    const [first] = waiting
    if (first) waiting.delete(first)
    return first
  }
  const refuseWaiting = (error: unknown) => {
    for (const one of waiting) one.fail(error)
    waiting.clear()
  }
  const give = (connection: Connection) => {
    if (!connection.isOpen) {
      connections.delete(connection)
      if (waiting.size > 0) grow()
      return
    }
    const first = next()
    if (first) first.take(connection)
    else idle.push(connection)
  }
  const grow = () => {
    if (isClosed || connections.size + opening >= most) return
    opening++
    open().then(
      (connection) => {
        opening--
        if (isClosed) return connection.destroy()
        connections.add(connection)
        give(connection)
      },
      (error) => {
        opening--
        // Where other connections serve, those who wait for one may still get it.
        if (connections.size + opening > 0) return
        refuseWaiting(error)
      }
    )
  }
  const idleOne = (): Connection | null => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.isOpen) return connection
      connections.delete(connection)
    }
    return null
  }
  const take = (): Promise<Connection> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(mine)
        reject(new StorageUnavailable('No connection to MySQL is free.'))
      }, PATIENCE_MS)
      const mine: Waiting = {
        take(connection) {
          clearTimeout(timer)
          resolve(connection)
        },
        fail(error) {
          clearTimeout(timer)
          reject(error)
        }
      }
      waiting.add(mine)
      grow()
    })

  return {
    async use(work) {
      if (isClosed) throw closedError()
      const connection = idleOne() ?? (await take())
      try {
        return await work(connection)
      } finally {
        give(connection)
      }
    },
    async close() {
      isClosed = true
      refuseWaiting(closedError())
      await Promise.all([...connections].map((connection) => connection.close()))
    },
    destroy() {
      isClosed = true
      refuseWaiting(closedError())
      for (const connection of connections) connection.destroy()
    }
  }
}

function closedError(): StorageUnavailable {
  return new StorageUnavailable('The connections to MySQL are closed.')
}
