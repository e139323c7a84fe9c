import { LIMITS } from '../../limits.js'
import type { Head, StoredEvent } from '../../log/event.js'
import { addressKey, identityPrefix } from '../search.js'
import type { Erasure, Fence, LogFilter, PositionRange } from '../storage.js'
import {
  type Dialect,
  inserts,
  joined,
  type Parameter,
  type Piece,
  raw,
  type Statement,
  snake,
  sql,
  statements
} from './dialect.js'
import { logTable } from './tables.js'

const columns = Object.keys(logTable.columns)
/** A header has no columns behind a payload, which may be megabytes long. */
const headerColumns = columns.slice(0, columns.indexOf('payload')).filter((column) => column !== 'who')
/** What is selected of an event, by the names of its fields. */
const selected = (some: readonly string[]) =>
  some.map((column) => `${snake(column)} AS "${column === 'schemaVersion' ? 'schema' : column}"`).join(', ')

export type LogStatements = ReturnType<typeof logStatements>

/** Statements on the log of one prefix. */
export function logStatements(dialect: Dialect, prefix: string) {
  const statement = statements(dialect)
  const limited = (...asked: Parameters<typeof statement>): Statement => ({ ...statement(...asked), hasLimit: true })
  const upsert = (key: string, some: readonly string[]) => raw(dialect.upsert(key, some))
  const table = (name: string) => raw(prefix + name)
  const [log, head, builds] = [table('log'), table('head'), table('builds')]
  const select = raw(`SELECT ${selected(columns)} FROM ${prefix}log`)
  const envelope = raw(selected(columns.filter((column) => column !== 'payload')))
  const isErased = `CASE WHEN ${dialect.isNull('payload')} THEN 1 ELSE 0 END AS payload_erased`
  const selectHeaders = raw(`SELECT ${selected(headerColumns)}, ${isErased} FROM ${prefix}log`)
  const bytes = raw(dialect.bytesOf('payload'))
  const isAt = (positions: readonly number[]) => dialect.isIn('position', positions)
  const append = inserts(dialect, `${prefix}log`, columns.map(snake))
  const touch = inserts(dialect, `${prefix}token_use`, ['id', 'used_at'], dialect.upsert('id', ['used_at']))
  /** A row where there is none, of nobody's. */
  const startBuild = (generation: number) =>
    statement`INSERT INTO ${builds} (generation, position, label) VALUES (${generation}, 0, '') ${upsert('generation', ['generation'])}`
  const headColumns = 'position, chain, at, generation, seal, written_under AS "writtenUnder"'
  const headOf = (columns: string) => `SELECT ${columns} FROM ${prefix}head WHERE id = 1`
  const { clock, forUpdate } = dialect
  return {
    head: { text: headOf(headColumns), values: [] },
    /** The head, which nobody else changes before the transaction is over. */
    lockedHead: headOf(clock === null ? headColumns : `${headColumns}, ${clock} AS clock`) + forUpdate,
    startHead: ({ position, chain, at, generation }: Head) =>
      statement`INSERT INTO ${head} (id, position, chain, at, generation) VALUES (1, ${position}, ${chain}, ${at}, ${generation}) ${upsert('id', ['id'])}`,
    /** Breaks a constraint, by which the whole commit fails, unless the head is the one that the commit continues. */
    moveHead(after: Head, { position, chain, at, generation, seal, writtenUnder }: Head): Statement {
      return statement`UPDATE ${head} SET position = CASE WHEN position = ${after.position} AND chain = ${after.chain} AND COALESCE(written_under, '') = ${after.writtenUnder ?? ''} THEN position + ${position - after.position} END, chain = ${chain}, at = ${at}, generation = ${generation}, seal = ${seal ?? null}, written_under = ${writtenUnder ?? null} WHERE id = 1`
    },
    writeUnder: (text: string) => statement`UPDATE ${head} SET written_under = ${text} WHERE id = 1`,
    append: (event: StoredEvent): Statement => append(toRow(event)),
    headers: (after: number, limit: number) =>
      limited`${selectHeaders} WHERE position > ${after} ORDER BY position LIMIT ${limit}`,
    types: (after: number, through: number) =>
      statement`SELECT position, stream, type, chain FROM ${log} WHERE position > ${after} AND position <= ${through} ORDER BY position`,
    /** The first of some events, with `bytes` of each payload; all of these are null where they are more than a page together. */
    sized(which: Piece, limit: number): Statement {
      const some = sql`FROM ${log} WHERE ${which} ORDER BY position LIMIT ${limit}`
      const measured = sql`SELECT COALESCE(${bytes}, 0) AS bytes ${some}`
      const isPage = sql`(SELECT CASE WHEN SUM(bytes) <= ${raw(String(LIMITS.page.max))} THEN 1 END FROM (${measured}) AS measured) = 1`
      return limited`SELECT ${envelope}, ${bytes} AS bytes, CASE WHEN ${isPage} THEN payload END AS payload ${some}`
    },
    isAt,
    readAt: (positions: readonly number[]) => statement`${select} WHERE ${isAt(positions)} ORDER BY position`,
    search(filter: LogFilter, { after, through }: PositionRange, limit: number, newestFirst: boolean): Statement {
      const range = sql`position > ${after} AND position <= ${through}`
      const where = joined([range, ...conditions(dialect, filter)], ' AND ')
      // Along one stream versions rise as positions do, and by them the stream has an index.
      const order = raw(`${filter.streams?.length === 1 ? 'version' : 'position'} ${newestFirst ? 'DESC' : 'ASC'}`)
      return {
        ...limited`${selectHeaders} WHERE ${where} ORDER BY ${order} LIMIT ${limit}`,
        isPlannedAnew: true
      }
    },
    /** The newest event of each of these streams that is of one of these types and not behind a position. */
    lastOf(streams: readonly string[], types: readonly string[], through: number): Statement {
      // As expressions, since only the index of streams is a way to few events: a table that nobody has analyzed yet misleads.
      const wanted = dialect.isIn(`COALESCE(one.type, '')`, types)
      // Of each stream, which its first event stands for, from the newest event on until one is of the types.
      const where = sql`one.stream = f.stream AND COALESCE(one.position, 0) <= ${through} AND ${wanted}`
      const last = sql`SELECT one.position FROM ${log} AS one WHERE ${where} ORDER BY one.version DESC LIMIT 1`
      const among = joined(conditions(dialect, { streams }), ' AND ')
      // Distinct, though each is: so the few are found first, and not joined to a log that is read whole.
      const each = sql`SELECT DISTINCT (${last}) AS last_position FROM ${log} AS f WHERE f.version = 1 AND ${among}`
      return {
        ...statement`${selectHeaders} JOIN (${each}) AS latest ON position = last_position`,
        isPlannedAnew: true
      }
    },
    erase: ({ event, part, text }: Erasure) =>
      statement`UPDATE ${log} SET ${raw(part)} = ${text}, ${raw(part)}_salt = NULL WHERE position = ${event.position}`,
    touch: (id: string, usedAt: string): Statement => touch([id, usedAt]),
    uses: statement`SELECT id, used_at FROM ${table('token_use')}`,
    build: (generation: number) =>
      statement`SELECT position, label, builder FROM ${builds} WHERE generation = ${generation}`,
    /** Remembers a generation that is nobody's to change. */
    setBuild: (generation: number, position: number, label: string, builder: string) =>
      statement`INSERT INTO ${builds} (generation, position, label, builder) VALUES (${generation}, ${position}, ${label}, ${builder}) ${upsert('generation', ['position', 'label', 'builder'])}`,
    /** Gives a generation another builder: breaks a constraint where it is live, or not the build of `over` any more. */
    claimBuild(generation: number, over: string | null, builder: string): readonly Statement[] {
      const isLive = sql`EXISTS (SELECT 1 FROM ${head} WHERE id = 1 AND ${head}.generation = ${generation})`
      const mayClaim = sql`COALESCE(builder, '') = ${over ?? ''} AND NOT ${isLive}`
      return [
        startBuild(generation),
        statement`UPDATE ${builds} SET position = CASE WHEN ${mayClaim} THEN position END, builder = ${builder} WHERE generation = ${generation}`
      ]
    },
    /** Breaks a constraint unless the fence holds, and moves it on. */
    moveBuild(
      { generation, builder, position }: Fence,
      to: { readonly position: number; readonly builder: string }
    ): readonly Statement[] {
      const isHeld = sql`builder = ${builder} AND position = ${position}`
      return [
        startBuild(generation),
        statement`UPDATE ${builds} SET position = CASE WHEN ${isHeld} THEN position + ${to.position - position} END, builder = ${to.builder} WHERE generation = ${generation}`
      ]
    },
    /** Says how far a generation is that has just been claimed: at its beginning, and with an empty label nowhere. */
    labelBuild: (generation: number, builder: string, label: string) =>
      statement`UPDATE ${builds} SET position = CASE WHEN builder = ${builder} THEN 0 END, label = ${label} WHERE generation = ${generation}`,
    migrations: statement`SELECT number FROM ${table('migrations')} ORDER BY number`,
    recordMigration: (number: number, name: string, at: string) =>
      statement`INSERT INTO ${table('migrations')} (number, name, at) VALUES (${number}, ${name}, ${at}) ${upsert('number', ['name'])}`
  }
}

/** The values of an event's row, in the order of the log's columns. */
function toRow(e: StoredEvent): readonly Parameter[] {
  return [
    ...[e.position, e.stream, e.version, e.type, e.schema, e.at, e.commandId, e.actorId, e.tokenId, e.requestId],
    ...[e.correlationId, e.causation, e.chain, e.who.text, e.who.salt, e.who.commitment],
    ...[e.payload.text, e.payload.salt, e.payload.commitment]
  ]
}

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
