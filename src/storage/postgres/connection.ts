import { Socket } from 'node:net'
import pg from 'pg'
import type { Address, PostgresConfig } from '../../config/types.js'
import { tlsOptions } from '../../net/tlsOptions.js'

/** The places of a database, of which the first that let somebody in is the first to be asked again. */
export interface PostgresPlaces {
  /**
   * Opens a connection whose statements may take `limit_ms` at most: to the place that served last, or the next one that lets
   * it in and is as it has to be. A transaction on it that is idle for `idle_ms` is ended by the server. Rejects with the reason of a single place, or an `AggregateError` of all.
   */
  connect(limit_ms: number, idle_ms?: number): Promise<pg.Client>
  /**
   * Resolves when the place that is asked first gives a sign of life. One among several that gives none loses its turn and all
   * connections to it, and then any other place is as good.
   */
  signOfLife(over: AbortSignal): Promise<void>
  /** Ends every connection at once. */
  endAll(): void
}

/** How long the first of several places may take for a sign of life: less than half of what a probe may take. */
const TURN_MS = 700

/** The places of a server. */
export function postgresPlaces(server: PostgresConfig): PostgresPlaces {
  const { host, port, otherHosts = [], targetSessionAttrs, connectTimeoutMs, tls, user, password, database } = server
  const places: readonly Address[] = [{ host, port }, ...otherHosts]
  /** The open ones, with the place that each leads to. */
  const sockets = new Map<Socket, number>()
  let first = 0

  /** Connects a client to a place. Where that cannot be used or `over` says so, its socket is ended. */
  const connected = async (
    turn: number,
    limit_ms: number,
    { over, idle_ms }: { readonly over?: AbortSignal; readonly idle_ms?: number | undefined } = {}
  ): Promise<pg.Client> => {
    const socket = new Socket()
    sockets.set(socket, turn)
    socket.once('close', () => sockets.delete(socket))
    over?.addEventListener('abort', () => socket.destroy(), { once: true })
    const client = new pg.Client({
      ...places[turn],
      user,
      password,
      database,
      ...(tls !== undefined && { ssl: tlsOptions(tls) }),
      connectionTimeoutMillis: connectTimeoutMs,
      // The server gives up; and where it cannot even do that, the client does.
      statement_timeout: limit_ms,
      query_timeout: limit_ms,
      ...(idle_ms !== undefined && { idle_in_transaction_session_timeout: idle_ms }),
      keepAlive: true,
      application_name: 'collections-hub',
      stream: () => socket
    })
    // One that dies is replaced when it is needed; without a listener it would end the process.
    client.on('error', () => {})
    try {
      await client.connect()
      if (targetSessionAttrs === 'read-write') await requireWrites(client)
      // Statements are short, so compiling one takes longer than running it. A probe runs none.
      if (over === undefined) await client.query('SET jit = off')
      return client
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
  const probe = async (turn: number, over: AbortSignal): Promise<void> => {
    const client = await connected(turn, connectTimeoutMs, { over })
    client.end().catch(() => {})
  }
  const endAll = (turn?: number) => {
    for (const [socket, to] of sockets) if (turn === undefined || turn === to) socket.destroy()
  }

  return {
    async connect(limit_ms, idle_ms) {
      const begun = first
      const failures: Error[] = []
      for (let i = 0; i < places.length; i++) {
        const turn = (begun + i) % places.length
        try {
          const client = await connected(turn, limit_ms, { idle_ms })
          first = turn
          return client
        } catch (error) {
          if (places.length === 1) throw error
          failures.push(atPlace(places[turn], error))
        }
      }
      throw new AggregateError(failures)
    },
    async signOfLife(over) {
      const asked = first
      if (places.length === 1) return probe(asked, over).catch(unlessRefused)
      const late = AbortSignal.any([over, AbortSignal.timeout(TURN_MS)])
      try {
        await probe(asked, late)
      } catch {
        endAll(asked)
        const others = places.map((_, turn) => turn).filter((turn) => turn !== asked)
        first = await Promise.any(others.map((turn) => probe(turn, over).then(() => turn)))
      }
    },
    endAll: () => endAll()
  }
}

/** A refusal is a sign of life. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof pg.DatabaseError)) throw error
}

async function requireWrites(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('the server only reads')
}

function atPlace(place: Address | undefined, failure: unknown): Error {
  const why = failure instanceof Error ? failure.message : String(failure)
  return new Error(`${place?.host}:${place?.port}: ${why}`, { cause: failure })
}
