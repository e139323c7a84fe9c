import pg from 'pg'
import type { Address, PostgresConfig } from '../../config/types.js'
import { tlsOptions } from '../../net/tlsOptions.js'
import { type Places, placesOf } from '../sql/places.js'
import { WrongServer } from '../storage.js'
import { lookAtEngine, type Timeline, textOfTimeline, timelineIn, timelineOf } from './engine.js'

/** A connected client, and whether a pooler stands between it and the server. */
export interface PostgresClient {
  readonly client: pg.Client
  readonly isPooled: boolean
}

/** The places of a server. `limit_ms` is how long a statement may take. */
export interface PostgresPlaces extends Places<PostgresClient, { readonly limit_ms: number }> {
  /** The newest timeline that is known, as a text. */
  timeline(): string | undefined
  /** True where that is a newer one than was known: connections that there are may lead to a server on another one. */
  learnTimeline(text: string): boolean
}

/** What a pooler says that does not know what a connection begins with. */
const UNSUPPORTED = /unsupported startup parameter|command-line options/i

/** The places of a server; one that only follows another, or that another has taken over from, is not used. */
export function postgresPlaces(server: PostgresConfig): PostgresPlaces {
  const { host, port, otherHosts = [], targetSessionAttrs, connectTimeoutMs, tls, user, password, database } = server
  /** Places that take no settings when a connection begins. */
  const plain = new Set<Address>()
  let newest: Timeline | null = null

  const connected = async (place: Address, socket: pg.ClientConfig['stream'], limit_ms: number): Promise<pg.Client> => {
    const client = new pg.Client({
      ...place,
      user,
      password,
      database,
      ...(tls !== undefined && { ssl: tlsOptions(tls) }),
      connectionTimeoutMillis: connectTimeoutMs,
      // The server gives up; and where it cannot even do that, the client does.
      query_timeout: limit_ms,
      // Statements are short, so compiling one takes longer than running it.
      ...(!plain.has(place) && { statement_timeout: limit_ms, options: '-c jit=off' }),
      application_name: 'collections-hub',
      stream: socket
    })
    // One that dies is replaced when it is needed; without a listener it would end the process.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (plain.has(place) || !(error instanceof Error) || !UNSUPPORTED.test(error.message)) throw error
      plain.add(place)
      return connected(place, socket, limit_ms)
    }
  }
  /** Throws where another server has taken over from this one. */
  const requireNewest = async (client: pg.Client): Promise<void> => {
    const found = await timelineOf(client)
    if (found && newest?.system === found.system && found.number < newest.number) throw new WrongServer(FORMER)
    newest = found ?? newest
  }

  const places = placesOf<PostgresClient, { readonly limit_ms: number }>([{ host, port }, ...otherHosts], {
    async enter(place, socket, { limit_ms }) {
      const client = await connected(place, socket, limit_ms)
      const { isPooled, isStandby, isReadOnly } = await lookAtEngine(client)
      if (isStandby) throw new WrongServer(STANDBY)
      if (isReadOnly && targetSessionAttrs === 'read-write') throw new WrongServer('The server only reads.')
      await requireNewest(client)
      return { client, isPooled: isPooled || plain.has(place) }
    },
    async probe(place, socket) {
      const client = await connected(place, socket, connectTimeoutMs)
      client.end().catch(() => {})
    },
    isRefusal: (error) => error instanceof pg.DatabaseError
  })
  return {
    ...places,
    timeline: () => (newest ? textOfTimeline(newest) : undefined),
    learnTimeline(text) {
      const told = timelineIn(text)
      if (!told || told.system !== newest?.system || told.number <= newest.number) return false
      newest = told
      return true
    }
  }
}

const STANDBY = 'The server is a standby, which only reads: name the one that it follows.'
const FORMER = 'Another server has taken over from this one (a newer timeline is known): it must not be used any more.'
