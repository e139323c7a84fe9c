import { StorageUnavailable } from '../storage.js'
import type { Session } from './session.js'

/** A connection that can be shared. */
export type Reader = Pick<Session, 'isOpen' | 'close' | 'destroy'>

/** How many connections there are at most, and how long one may take to open; `ended` is told where one has ended at its work. */
export interface ReadersOptions {
  readonly most: number
  readonly connect_ms: number
  readonly ended?: () => void
}

interface Waiting<C> {
  readonly resolve: (connection: C) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** Whoever waits does so longer than a connection may take to open, so that what is wrong with it is told. */
const PATIENCE_MS = 500

/**
 * Connections that are shared by those who read, opened by `open` when they are needed: each serves one at a time. By hand: who
 * waits for a connection of mysql2's pool waits without limit, is refused where one more cannot be opened though others serve, and
 * the pool cannot end all its connections at once; and that of pg knows one host alone.
 */
export function sharedReaders<C extends Reader>(open: () => Promise<C>, { most, connect_ms, ended }: ReadersOptions) {
  const idle: C[] = []
  const waiting = new Set<Waiting<C>>()
  const connections = new Set<C>()
  let opening = 0
  let isClosed = false

  const closed = () => new StorageUnavailable('The connections to the database are closed.')
  const refuseWaiting = (error: unknown) => {
    for (const { reject, timer } of waiting) {
      clearTimeout(timer)
      reject(error)
    }
    waiting.clear()
  }
  const give = (connection: C) => {
    const [first] = waiting
    if (!connection.isOpen) {
      connections.delete(connection)
      // What has ended it, as a router that forgot it, may have silenced those that nobody uses: one by one each would have to time out.
      for (const one of idle.splice(0)) {
        connections.delete(one)
        one.destroy()
      }
      ended?.()
      if (first) grow()
    } else if (first) {
      waiting.delete(first)
      clearTimeout(first.timer)
      first.resolve(connection)
    } else idle.push(connection)
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
        if (connections.size + opening === 0) refuseWaiting(error)
      }
    )
  }
  const take = async (): Promise<C> => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.isOpen) return connection
      connections.delete(connection)
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(mine)
        reject(new StorageUnavailable('No connection to the database is free.'))
      }
      const mine = { resolve, reject, timer: setTimeout(giveUp, connect_ms + PATIENCE_MS) }
      waiting.add(mine)
      grow()
    })
  }

  return {
    /** Lends a connection. Throws `StorageUnavailable` when none is free in time or all are closed, and what `open` throws. */
    async use<T>(work: (connection: C) => Promise<T>): Promise<T> {
      if (isClosed) throw closed()
      const connection = await take()
      try {
        return await work(connection)
      } finally {
        give(connection)
      }
    },
    /** How many connections are lent and how many are not, and how many wait for one. */
    counts: () => ({ active: connections.size - idle.length, idle: idle.length, waiting: waiting.size }),
    /** Says goodbye on every connection. One that is still being opened ends when it is open; no other is opened. */
    async close(): Promise<void> {
      isClosed = true
      refuseWaiting(closed())
      await Promise.all([...connections].map((connection) => connection.close()))
    },
    /** Ends every connection at once, as `close` otherwise. */
    destroy(): void {
      isClosed = true
      refuseWaiting(closed())
      for (const connection of connections) connection.destroy()
    }
  }
}
