import { StorageUnavailable } from '../storage.js'

/** A connection that can be shared. */
export interface Reader {
  readonly isOpen: boolean
  /** Says goodbye, and does not wait long for an answer. */
  close(): Promise<void>
  /** Ends it at once. */
  destroy(): void
}

/** Connections that are shared by those who read: each serves one at a time. */
export interface Readers<C extends Reader> {
  /** Lends a connection. Throws `StorageUnavailable` when none is free in time or all are closed, and what `open` throws. */
  use<T>(work: (connection: C) => Promise<T>): Promise<T>
  /** How many connections are lent and how many are not, and how many wait for one. */
  counts(): { readonly active: number; readonly idle: number; readonly waiting: number }
  /** Says goodbye on every connection. One that is still being opened ends when it is open; no other is opened. */
  close(): Promise<void>
  /** Ends every connection at once. One that is still being opened ends when it is open; no other is opened. */
  destroy(): void
}

interface Waiting<C> {
  readonly take: (connection: C) => void
  readonly fail: (error: unknown) => void
}

/** How many connections there are at most, how long one may take to open, and what the server is called in errors. */
export interface ReadersOptions {
  readonly most: number
  readonly connect_ms: number
  readonly server: 'MySQL' | 'Postgres'
}

/** Whoever waits does so longer than a connection may take to open, so that what is wrong with it is told. */
const PATIENCE_MS = 500

/**
 * Readers on connections that `open` opens when they are needed. By hand: who waits for a connection of mysql2's pool waits
 * without limit, is refused where one more cannot be opened though others serve, and the pool cannot end all its connections
 * at once; and that of pg knows one host alone.
 */
export function sharedReaders<C extends Reader>(
  open: () => Promise<C>,
  { most, connect_ms, server }: ReadersOptions
): Readers<C> {
  const idle: C[] = []
  const waiting = new Set<Waiting<C>>()
  const connections = new Set<C>()
  let opening = 0
  let isClosed = false

  const closed = () => new StorageUnavailable(`The connections to ${server} are closed.`)
  const next = (): Waiting<C> | undefined => {
    const [first] = waiting
    if (first) waiting.delete(first)
    return first
  }
  const refuseWaiting = (error: unknown) => {
    for (const one of waiting) one.fail(error)
    waiting.clear()
  }
  const give = (connection: C) => {
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
  const idleOne = (): C | null => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.isOpen) return connection
      connections.delete(connection)
    }
    return null
  }
  const take = (): Promise<C> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(mine)
        reject(new StorageUnavailable(`No connection to ${server} is free.`))
      }, connect_ms + PATIENCE_MS)
      const mine: Waiting<C> = {
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
      if (isClosed) throw closed()
      const connection = idleOne() ?? (await take())
      try {
        return await work(connection)
      } finally {
        give(connection)
      }
    },
    counts: () => ({ active: connections.size - idle.length, idle: idle.length, waiting: waiting.size }),
    async close() {
      isClosed = true
      refuseWaiting(closed())
      await Promise.all([...connections].map((connection) => connection.close()))
    },
    destroy() {
      isClosed = true
      refuseWaiting(closed())
      for (const connection of connections) connection.destroy()
    }
  }
}
