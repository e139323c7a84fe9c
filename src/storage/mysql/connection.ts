import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import mysql, { type QueryError, type RowDataPacket } from 'mysql2'
import type { Address, MysqlConfig } from '../../config/types.js'
import type { Parameter, RawRow, Statement } from '../sql/dialect.js'
import { type Places, placesOf } from '../sql/places.js'
import { WrongServer } from '../storage.js'
import { Refusal, received } from './dialect.js'

/** One session of the server. A question that is not answered in time ends it, and with it what was begun. */
export interface MysqlConnection {
  readonly isOpen: boolean
  /** How many bytes the server takes in one packet. */
  readonly bytesMax: number
  /** Runs a statement, prepared where that is possible. */
  query(statement: Statement): Promise<readonly RawRow[]>
  /** Runs a text with every value in it. */
  run(text: string): Promise<void>
  /** Says goodbye behind everything that was asked, and does not wait long for it. */
  close(): Promise<void>
  /** Ends it at once. */
  destroy(): void
}

const CLOSE_TIMEOUT_MS = 2000
const PREPARED_MAX = 250

// Nothing is left to the server's defaults. Sort keys may be longer than the usual 1024 bytes, and a session that holds a
// lock may be silent for long.
const SESSION = `SET NAMES utf8mb4, sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00', max_sort_length = 4096, wait_timeout = 28800`

/**
 * How long an answer may take. After `idle_s` the server ends a transaction that nothing comes for; MySQL itself, which does not know
 * how, ends the session, in a transaction or not, a little later: not when what took just as long is over and has something to write.
 */
export interface MysqlLimits {
  readonly limit_ms: number
  readonly idle_s?: number
}

/** The places of a server; one that only reads is not used, since it follows another one. */
export function mysqlPlaces(server: MysqlConfig): Places<MysqlConnection, MysqlLimits> {
  const { host, port, otherHosts = [], connectTimeoutMs } = server
  return placesOf([{ host, port }, ...otherHosts], {
    enter: (place, socket, limits) => connect({ ...server, ...place }, socket(), limits),
    async probe(place, socket) {
      const { close } = await connect({ ...server, ...place }, socket(), { limit_ms: connectTimeoutMs })
      close().catch(() => {})
    },
    isRefusal: (error) => error instanceof Refusal
  })
}

const READ_ONLY = 'The server only reads (read_only is on): name the one that it follows.'

async function connect(
  server: MysqlConfig,
  socket: Socket,
  { limit_ms, idle_s }: MysqlLimits
): Promise<MysqlConnection> {
  const { user, password, database, connectTimeoutMs } = server
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const client = mysql.createConnection({
    stream: socket.connect(placeOf(server)),
    ...encryptionOf(server),
    user,
    password,
    database,
    charset: 'utf8mb4',
    // An older hub's DATETIME is UTC, and has no zone of its own; this hub has none.
    timezone: 'Z',
    connectTimeout: 0,
    maxPreparedStatements: PREPARED_MAX,
    // Texts have their values in them already; the client would read through all of each to find places for none.
    queryFormat: (text) => text
  })
  // Whoever asks is told what goes wrong; without a listener it would end the process.
  client.on('error', () => {})

  const ask = (within_ms: number, start: (take: Take) => unknown) =>
    new Promise<readonly RawRow[]>((resolve, reject) => {
      // All who wait for answers are told that there will be none.
      const timer = setTimeout(() => socket.destroy(), within_ms)
      start((error, result) => {
        clearTimeout(timer)
        if (error) reject(received(error))
        else resolve(Array.isArray(result) ? result : [])
      })
    })

  // The server gives up waiting for a lock before the client gives up waiting for the server.
  const patience_s = Math.max(1, Math.floor(limit_ms / 1000) - 1)
  const begin = [
    `${SESSION}, lock_wait_timeout = ${patience_s}, innodb_lock_wait_timeout = ${patience_s}`,
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    `SET autocommit = 1${idle_s === undefined ? '' : ` /*M!100300 , idle_transaction_timeout = ${idle_s} */ /*!80000 , wait_timeout = ${idle_s + 2} */`}`,
    "SHOW VARIABLES WHERE Variable_name IN ('max_allowed_packet', 'read_only', 'wsrep_on')"
  ].map((text) => ask(connectTimeoutMs, (take) => client.query(text, take)))
  let bytesMax: number
  try {
    const variables = (await Promise.all(begin)).at(-1) ?? []
    const said = new Map(variables.map((row) => [String(row.Variable_name), String(row.Value)]))
    bytesMax = Number(said.get('max_allowed_packet'))
    if (said.get('read_only') === 'ON') throw new WrongServer(READ_ONLY)
    // On Galera a node answers once it has what other nodes have committed before the question.
    if (said.get('wsrep_on') === 'ON')
      await ask(connectTimeoutMs, (take) => client.query('SET SESSION wsrep_sync_wait = 1', take))
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    bytesMax,
    get isOpen() {
      return socket.readyState === 'open'
    },
    query(statement) {
      const values = preparable(statement)
      return ask(limit_ms, (take) =>
        values ? client.execute(statement.text, values, take) : client.query(textOf(statement), take)
      )
    },
    async run(text) {
      await ask(limit_ms, (take) => client.query(text, take))
    },
    async close() {
      client.end(() => {})
      await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, null, { ref: false })])
      socket.destroy()
    },
    destroy: () => void socket.destroy()
  }
}

/** What the client takes to encrypt a connection; `host` is the name that it compares with the certificate. */
function encryptionOf({ host, tls }: Pick<MysqlConfig, 'host' | 'tls'>) {
  if (tls === undefined) return {}
  const { servername = host, ca, cert, key, rejectUnauthorized } = tls
  const given = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key })
  }
  return { host: servername, ssl: { ...given, rejectUnauthorized, verifyIdentity: rejectUnauthorized } }
}

/** What a socket is connected to. */
function placeOf({ host, port }: Address) {
  return host.startsWith('/') ? { path: host } : { host, port }
}

/** Takes an answer; a statement without rows has something else than an array. */
type Take = (error: QueryError | null, result: RowDataPacket[]) => void

/** The values, unless the text depends on one: on a list, or on a limit, which MySQL wants as a literal number. */
function preparable({ hasLimit, values }: Statement): (string | number | null)[] | null {
  if (hasLimit) return null
  const single = values.filter((value) => value === null || typeof value !== 'object')
  return single.length === values.length ? single : null
}

/** A statement with its values in it, escaped for a session in utf8mb4 where backslashes escape. */
export function textOf({ text, values }: Statement): string {
  return values.length === 0 ? text : mysql.format(text, values.map(mutable))
}

/** A value as it stands in a text. */
export function escaped(value: Parameter): string {
  return mysql.escape(mutable(value))
}

/** The client asks for lists that it could change. */
function mutable(value: Parameter): string | number | null | (string | number)[] {
  return typeof value === 'object' && value !== null ? [...value] : value
}
