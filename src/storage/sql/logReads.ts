import { fitting, LIMITS } from '../../limits.js'
import type { EventHeader, StoredEvent } from '../../log/event.js'
import { toHeader as headerOf, toEvent, toType } from '../events.js'
import { addressKey, identityPrefix } from '../search.js'
import type { LogFilter, PositionRange, Storage } from '../storage.js'
import {
  type Dialect,
  joined,
  type Piece,
  type RawRow,
  raw,
  type SqlDriver,
  type Statement,
  snake,
  sql,
  statements,
  withLimit
} from './dialect.js'
import { logTable } from './tables.js'

/** A question has at least so many events at a time. */
const ASKED_MIN = 16

const columns = Object.keys(logTable.columns)
/** A header has no columns behind a payload, which may be megabytes long. */
const headerColumns = columns.slice(0, columns.indexOf('payload')).filter((column) => column !== 'who')
/** What is selected of an event, by the names of its fields. */
const selected = (some: readonly string[]) =>
  some.map((column) => `${snake(column)} AS "${column === 'schemaVersion' ? 'schema' : column}"`).join(', ')

type LogReads = Pick<Storage, 'readLog' | 'readHeaders' | 'readTypes' | 'readAt' | 'searchLog' | 'lastOf'>

/** Reads and searches the log of one prefix. */
export function logReads({ dialect, query }: Pick<SqlDriver, 'dialect' | 'query'>, prefix: string): LogReads {
  const statement = statements(dialect)
  const log = raw(`${prefix}log`)
  const envelope = raw(selected(columns.filter((column) => column !== 'payload')))
  const isErased = `CASE WHEN ${dialect.isNull('payload')} THEN 1 ELSE 0 END AS payload_erased`
  const selectHeaders = raw(`SELECT ${selected(headerColumns)}, ${isErased} FROM ${prefix}log`)
  const select = raw(`SELECT ${selected(columns)} FROM ${prefix}log`)
  const bytes = raw(dialect.bytesOf('payload'))
  const isAt = (positions: readonly number[]) => dialect.isIn('position', positions)
  const headers = async (asked: Statement) => (await query(asked)).map(toHeader)
  const readAt = async (positions: readonly number[]) =>
    (await query(statement`${select} WHERE ${isAt(positions)} ORDER BY position`)).map(toEvent)

  // Not every server tells the length of a text without reading it: where events are large, fewer of them are asked about.
  let usual = Number.POSITIVE_INFINITY
  /** One page of these events, in their order: how large they are together is told with them, or in their place. */
  const page = async (which: Piece, limit: number): Promise<readonly StoredEvent[]> => {
    const some = sql`FROM ${log} WHERE ${which} ORDER BY position LIMIT ${Math.min(limit, usual)}`
    const measured = sql`SELECT COALESCE(${bytes}, 0) AS bytes ${some}`
    const isPage = sql`(SELECT CASE WHEN SUM(bytes) <= ${raw(String(LIMITS.page.max))} THEN 1 END FROM (${measured}) AS measured) = 1`
    const rows = await query(
      withLimit(
        statement`SELECT ${envelope}, ${bytes} AS bytes, CASE WHEN ${isPage} THEN payload END AS payload ${some}`
      )
    )
    const isWhole = !rows.some(({ payload, bytes }) => payload === null && bytes !== null)
    const fit = isWhole ? rows : fitting(rows, LIMITS.page, ({ bytes }) => Number(bytes ?? 0))
    usual = isWhole ? 2 * usual : Math.max(ASKED_MIN, 2 * fit.length)
    return isWhole ? rows.map(toEvent) : readAt(fit.map(({ position }) => Number(position)))
  }
  const searchOne = (filter: LogFilter, { after, through }: PositionRange, limit: number, newestFirst: boolean) => {
    const range = sql`position > ${after} AND position <= ${through}`
    const where = joined([range, ...conditions(dialect, filter)], ' AND ')
    // Along one stream versions rise as positions do, and by them the stream has an index.
    const order = raw(`${filter.streams?.length === 1 ? 'version' : 'position'} ${newestFirst ? 'DESC' : 'ASC'}`)
    const asked = withLimit(statement`${selectHeaders} WHERE ${where} ORDER BY ${order} LIMIT ${limit}`)
    return headers({ ...asked, isPlannedAnew: true })
  }

  return {
    // Single events, which are asked for most, need no measuring.
    readLog: (after, limit) => (limit === 1 ? readAt([after + 1]) : page(sql`position > ${after}`, limit)),
    readHeaders: (after, limit) =>
      headers(withLimit(statement`${selectHeaders} WHERE position > ${after} ORDER BY position LIMIT ${limit}`)),
    async readTypes(after, through) {
      if (after >= through) return []
      const rows = await query(
        statement`SELECT position, stream, type, chain FROM ${log} WHERE position > ${after} AND position <= ${through} ORDER BY position`
      )
      return rows.map(toType)
    },
    readAt: async (positions) => (positions.length === 0 ? [] : page(isAt(positions), positions.length)),
    async searchLog(filter, within, limit, newestFirst) {
      const { streams } = filter
      if (streams === undefined || streams.length === 1) return searchOne(filter, within, limit, newestFirst)
      // Each in its own order, for which there is an index; of all together they would first have to be sorted.
      const found: EventHeader[] = []
      for (const stream of new Set(streams))
        found.push(...(await searchOne({ ...filter, streams: [stream] }, within, limit, newestFirst)))
      return found.sort((a, b) => (newestFirst ? b.position - a.position : a.position - b.position)).slice(0, limit)
    },
    async lastOf(streams, types, through) {
      if (streams.length === 0) return []
      // As expressions, since only the index of streams is a way to few events: a table that nobody has analyzed yet misleads.
      const wanted = dialect.isIn(`COALESCE(one.type, '')`, types)
      // Of each stream, which its first event stands for, from the newest event on until one is of the types.
      const where = sql`one.stream = f.stream AND COALESCE(one.position, 0) <= ${through} AND ${wanted}`
      const last = sql`SELECT one.position FROM ${log} AS one WHERE ${where} ORDER BY one.version DESC LIMIT 1`
      const among = joined(conditions(dialect, { streams }), ' AND ')
      // Distinct, though each is: so the few are found first, and not joined to a log that is read whole.
      const each = sql`SELECT DISTINCT (${last}) AS last_position FROM ${log} AS f WHERE f.version = 1 AND ${among}`
      const asked = statement`${selectHeaders} JOIN (${each}) AS latest ON position = last_position`
      return headers({ ...asked, isPlannedAnew: true })
    }
  }
}

const toHeader = (row: RawRow) => headerOf(row, Number(row.payload_erased) === 1)

/** What a filter asks for, as conditions. */
function conditions({ isIn, addressIn }: Dialect, filter: LogFilter): readonly Piece[] {
  const { address, streamPrefix } = filter
  const found: Piece[] = []
  const equals = (column: string, value: string) => found.push(sql`${raw(column)} = ${value}`)
  const begins = (column: string, text: string) =>
    found.push(sql`${raw(column)} LIKE ${`${text.replace(/[!%_]/g, '!$&')}%`} ESCAPE '!'`)
  for (const column of ['actorId', 'tokenId', 'requestId'] as const) {
    const value = filter[column]
    if (value !== undefined) equals(snake(column), value)
  }
  if (address !== undefined) {
    const key = addressIn('who')
    if (key !== null) equals(key, addressKey(address))
    begins('who', identityPrefix(address))
  }
  if (streamPrefix !== undefined) begins('stream', streamPrefix)
  for (const [column, among] of Object.entries({ stream: filter.streams, type: filter.types })) {
    const [only] = among ?? []
    if (only !== undefined && among?.length === 1) equals(column, only)
    else if (among !== undefined) found.push(isIn(column, among))
  }
  return found
}
