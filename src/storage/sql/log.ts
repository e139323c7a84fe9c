import type { EventHeader, Head, LinkedHeader, Occurrence, StoredEvent } from '../../log/event.js'
import type { Erasure, Fence, TableDefinition } from '../storage.js'
import { type Dialect, inserts, type Parameter, type RawRow, type Statement, snake } from './dialect.js'
import { searchStatements } from './search.js'

const columns = {
  position: 'integer',
  stream: 'id',
  version: 'integer',
  type: 'id',
  schemaVersion: 'integer',
  at: 'time',
  commandId: 'id',
  actorId: 'id',
  tokenId: 'id?',
  requestId: 'id?',
  correlationId: 'id?',
  causation: 'integer?',
  who: 'text?',
  whoSalt: 'id?',
  whoCommitment: 'id',
  payload: 'text?',
  payloadSalt: 'id?',
  payloadCommitment: 'id',
  chain: 'id'
} as const

/** The log: one row an event. The position is its key, so that no two writers can own one whatever else goes wrong. */
export const logTable: TableDefinition = {
  name: 'log',
  columns,
  key: ['position'],
  indexes: {
    byStream: { columns: ['stream', 'version'], unique: true },
    byActor: { columns: ['actorId', 'position'], unique: false },
    byToken: { columns: ['tokenId', 'position'], unique: false },
    byType: { columns: ['type', 'position'], unique: false },
    // Of what an erasure takes away it holds nothing any more.
    byAddress: { addressIn: 'who', columns: ['position'], unique: false }
  }
}

/** One row that says where the log ends and which generation of the read tables is live: the guard against two writers. */
export const headTable: TableDefinition = {
  name: 'head',
  columns: {
    id: 'integer',
    position: 'integer',
    chain: 'id',
    at: 'time',
    generation: 'integer',
    seal: 'text?',
    writtenUnder: 'text?'
  },
  key: ['id'],
  indexes: {}
}

/** The row of the head. Releases that know nothing of `writtenUnder` had it in row 1, which is left to stop them. */
const HEAD = 2
const EARLIER_HEAD = 1
/** Nothing continues a head at this position. */
const NOWHERE = -1

/** When each token was last used. */
export const tokenUseTable: TableDefinition = {
  name: 'token_use',
  columns: { id: 'id', usedAt: 'time' },
  key: ['id'],
  indexes: {}
}

/** How far generations of the read tables have come, and who fills them. No row is ever taken away: by it a fence is checked. */
export const buildsTable: TableDefinition = {
  name: 'builds',
  columns: { generation: 'integer', position: 'integer', label: 'text', builder: 'id?' },
  key: ['generation'],
  indexes: {}
}

/** The migrations that are done. */
export const migrationsTable: TableDefinition = {
  name: 'migrations',
  columns: { number: 'integer', name: 'id', at: 'time' },
  key: ['number'],
  indexes: {}
}

const names = Object.keys(columns).map(snake)
const TEXTS = new Set(['who', 'payload'])
/**
 * A payload may be megabytes long, and SQLite goes through all of it to get at a column behind it: of those a header has none.
 */
const headerNames = names.slice(0, names.indexOf('payload')).filter((name) => !TEXTS.has(name))

/** Statements on the log of one prefix. */
export function logStatements(dialect: Dialect, prefix: string) {
  const { placeholder: p, upsert } = dialect
  const select = `SELECT ${names.join(', ')} FROM ${prefix}log`
  const header = `${headerNames.join(', ')}, CASE WHEN ${dialect.isNull('payload')} THEN 1 ELSE 0 END AS payload_erased`
  const selectHeaders = `SELECT ${header} FROM ${prefix}log`
  const selectLinked = `SELECT ${header}, chain FROM ${prefix}log`
  const selectSizes = `SELECT position, version, ${dialect.bytesOf('payload')} AS bytes FROM ${prefix}log`
  const among = (selection: string, positions: readonly number[]): Statement => {
    const { text, values } = dialect.isAmong('position', positions, 1)
    return { text: `${selection} WHERE ${text} ORDER BY position`, values }
  }
  const append = inserts(dialect, `${prefix}log`, names)
  const touch = inserts(dialect, `${prefix}token_use`, ['id', 'used_at'], upsert('id', ['used_at']))
  /** A row where there is none, of nobody's. */
  const startBuild = (generation: number): Statement => ({
    text: `INSERT INTO ${prefix}builds (generation, position, label) VALUES (${p(1)}, 0, '') ${upsert('generation', ['generation'])}`,
    values: [generation]
  })
  return {
    startBuild,
    head: {
      text: `SELECT position, chain, at, generation, seal, written_under FROM ${prefix}head WHERE id = ${HEAD}`,
      values: []
    },
    /** Every column that the head or the builds have, of any of their rows. */
    wholeHead: { text: `SELECT * FROM ${prefix}head LIMIT 1`, values: [] },
    wholeBuild: { text: `SELECT * FROM ${prefix}builds LIMIT 1`, values: [] },
    startHead: ({ position, chain, at, generation }: Head): Statement => ({
      text: `INSERT INTO ${prefix}head (id, position, chain, at, generation) VALUES (${HEAD}, ${p(1)}, ${p(2)}, ${p(3)}, ${p(4)}) ${upsert('id', ['id'])}`,
      values: [position, chain, at, generation]
    }),
    /** Breaks a constraint, by which the whole commit fails, unless the head is the one that the commit continues. */
    moveHead: (after: Head, { position, chain, at, generation, seal, writtenUnder }: Head): Statement => ({
      text: `UPDATE ${prefix}head SET position = CASE WHEN position = ${p(1)} AND chain = ${p(2)} AND COALESCE(written_under, '') = ${p(3)} THEN position + ${p(4)} END, chain = ${p(5)}, at = ${p(6)}, generation = ${p(7)}, seal = ${p(8)}, written_under = ${p(9)} WHERE id = ${HEAD}`,
      values: [
        ...[after.position, after.chain, after.writtenUnder ?? '', position - after.position],
        ...[chain, at, generation, seal ?? null, writtenUnder ?? null]
      ]
    }),
    writeUnder: (text: string): Statement => ({
      text: `UPDATE ${prefix}head SET written_under = ${p(1)} WHERE id = ${HEAD}`,
      values: [text]
    }),
    /** The head goes from the row of earlier releases to its own, as nobody can change it meanwhile. */
    takeHead: (notice: string): readonly Statement[] => [
      { text: `UPDATE ${prefix}head SET at = at WHERE id = ${EARLIER_HEAD}`, values: [] },
      {
        text: `INSERT INTO ${prefix}head (id, position, chain, at, generation, seal) SELECT ${HEAD}, position, chain, at, generation, seal FROM ${prefix}head WHERE id = ${EARLIER_HEAD} AND position > ${NOWHERE}`,
        values: []
      },
      {
        text: `UPDATE ${prefix}head SET position = ${NOWHERE}, chain = '', seal = ${p(1)} WHERE id = ${EARLIER_HEAD}`,
        values: [notice]
      }
    ],
    append: (event: StoredEvent): Statement => append([toRow(event)]),
    /** How large the events above a position are: position, version and bytes of each. */
    sizes: (after: number, limit: number): Statement => ({
      text: `${selectSizes} WHERE position > ${p(1)} ORDER BY position LIMIT ${p(2)}`,
      values: [after, limit],
      hasLimit: true
    }),
    read: (after: number, through: number): Statement => ({
      text: `${select} WHERE position > ${p(1)} AND position <= ${p(2)} ORDER BY position`,
      values: [after, through]
    }),
    types: (after: number, through: number): Statement => ({
      text: `SELECT position, type FROM ${prefix}log WHERE position > ${p(1)} AND position <= ${p(2)} ORDER BY position`,
      values: [after, through]
    }),
    linked: (after: number, limit: number): Statement => ({
      text: `${selectLinked} WHERE position > ${p(1)} ORDER BY position LIMIT ${p(2)}`,
      values: [after, limit],
      hasLimit: true
    }),
    readOccurrences: (after: number, through: number): Statement => ({
      text: `SELECT position, stream, version, type, schema_version, at, actor_id, payload FROM ${prefix}log WHERE position > ${p(1)} AND position <= ${p(2)} ORDER BY position`,
      values: [after, through]
    }),
    sizesAt: (positions: readonly number[]): Statement => among(selectSizes, positions),
    readAt: (positions: readonly number[]): Statement => among(select, positions),
    streamSizes: (stream: string, after: number, limit: number): Statement => ({
      text: `${selectSizes} WHERE stream = ${p(1)} AND version > ${p(2)} ORDER BY version LIMIT ${p(3)}`,
      values: [stream, after, limit],
      hasLimit: true
    }),
    readStream: (stream: string, after: number, through: number): Statement => ({
      text: `${select} WHERE stream = ${p(1)} AND version > ${p(2)} AND version <= ${p(3)} ORDER BY version`,
      values: [stream, after, through]
    }),
    ...searchStatements(dialect, prefix, selectHeaders),
    linkedAt: (positions: readonly number[]): Statement => among(selectLinked, positions),
    erase: ({ event, part, text }: Erasure): Statement => ({
      text: `UPDATE ${prefix}log SET ${part} = ${p(1)}, ${part}_salt = NULL WHERE position = ${p(2)}`,
      values: [text, event.position]
    }),
    touch: (id: string, usedAt: string): Statement => touch([[id, usedAt]]),
    uses: { text: `SELECT id, used_at FROM ${prefix}token_use`, values: [] },
    build: (generation: number): Statement => ({
      text: `SELECT position, label, builder FROM ${prefix}builds WHERE generation = ${p(1)}`,
      values: [generation]
    }),
    /** Remembers a generation that is nobody's to change. */
    setBuild: (generation: number, position: number, label: string, builder: string): Statement => ({
      text: `INSERT INTO ${prefix}builds (generation, position, label, builder) VALUES (${p(1)}, ${p(2)}, ${p(3)}, ${p(4)}) ${upsert('generation', ['position', 'label', 'builder'])}`,
      values: [generation, position, label, builder]
    }),
    /** Gives a generation another builder: breaks a constraint where it is live, or not the build of `over` any more. */
    claimBuild: (generation: number, over: string | null, builder: string): readonly Statement[] => [
      startBuild(generation),
      {
        text: `UPDATE ${prefix}builds SET position = CASE WHEN COALESCE(builder, '') = ${p(1)} AND NOT EXISTS (SELECT 1 FROM ${prefix}head WHERE id = ${HEAD} AND ${prefix}head.generation = ${p(2)}) THEN position END, builder = ${p(3)} WHERE generation = ${p(4)}`,
        values: [over ?? '', generation, builder, generation]
      }
    ],
    /** Breaks a constraint unless the fence holds, and moves it on. */
    moveBuild: (
      { generation, builder, position }: Fence,
      to: { readonly position: number; readonly builder: string }
    ): readonly Statement[] => [
      startBuild(generation),
      {
        text: `UPDATE ${prefix}builds SET position = CASE WHEN builder = ${p(1)} AND position = ${p(2)} THEN position + ${p(3)} END, builder = ${p(4)} WHERE generation = ${p(5)}`,
        values: [builder, position, to.position - position, to.builder, generation]
      }
    ],
    /** Says how far a generation is that has just been claimed: at its beginning, and with an empty label nowhere. */
    labelBuild: (generation: number, builder: string, label: string): Statement => ({
      text: `UPDATE ${prefix}builds SET position = CASE WHEN builder = ${p(1)} THEN 0 END, label = ${p(2)} WHERE generation = ${p(3)}`,
      values: [builder, label, generation]
    }),
    migrations: { text: `SELECT number FROM ${prefix}migrations ORDER BY number`, values: [] },
    recordMigration: (number: number, name: string, at: string): Statement => ({
      text: `INSERT INTO ${prefix}migrations (number, name, at) VALUES (${p(1)}, ${p(2)}, ${p(3)}) ${upsert('number', ['name'])}`,
      values: [number, name, at]
    })
  }
}

function toRow(e: StoredEvent): readonly Parameter[] {
  return [
    e.position,
    e.stream,
    e.version,
    e.type,
    e.schema,
    e.at,
    e.commandId,
    e.actorId,
    e.tokenId,
    e.requestId,
    e.correlationId,
    e.causation,
    e.who.text,
    e.who.salt,
    e.who.commitment,
    e.payload.text,
    e.payload.salt,
    e.payload.commitment,
    e.chain
  ]
}

/** An event from its row. */
export function toEvent(raw: RawRow): StoredEvent {
  return {
    ...envelopeOf(raw),
    chain: String(raw.chain),
    who: { text: maybe(raw.who), salt: maybe(raw.who_salt), commitment: String(raw.who_commitment) },
    payload: { text: maybe(raw.payload), salt: maybe(raw.payload_salt), commitment: String(raw.payload_commitment) }
  }
}

/** An event without its texts, from its row. */
export function toHeader(raw: RawRow): EventHeader {
  return { ...envelopeOf(raw), whoErased: raw.who_salt === null, payloadErased: Number(raw.payload_erased) === 1 }
}

/** The same with its chain. */
export function toLinkedHeader(raw: RawRow): LinkedHeader {
  return { ...toHeader(raw), chain: String(raw.chain) }
}

function envelopeOf(raw: RawRow): Omit<StoredEvent, 'who' | 'payload' | 'chain'> {
  return {
    position: Number(raw.position),
    stream: String(raw.stream),
    version: Number(raw.version),
    type: String(raw.type),
    schema: Number(raw.schema_version),
    at: String(raw.at),
    commandId: String(raw.command_id),
    actorId: String(raw.actor_id),
    tokenId: maybe(raw.token_id),
    requestId: maybe(raw.request_id),
    correlationId: maybe(raw.correlation_id),
    causation: raw.causation === null ? null : Number(raw.causation)
  }
}

const maybe = (value: unknown) => (value === null ? null : String(value))

/** What a replay needs of an event, from its row. */
export function toOccurrence(raw: RawRow): Occurrence {
  return {
    position: Number(raw.position),
    stream: String(raw.stream),
    version: Number(raw.version),
    type: String(raw.type),
    schema: Number(raw.schema_version),
    at: String(raw.at),
    actorId: String(raw.actor_id),
    payload: { text: maybe(raw.payload) }
  }
}

/** The head from its row. */
export function toHead(raw: RawRow): Head {
  return {
    position: Number(raw.position),
    chain: String(raw.chain),
    at: String(raw.at),
    generation: Number(raw.generation),
    ...(typeof raw.seal === 'string' && { seal: raw.seal }),
    ...(typeof raw.written_under === 'string' && { writtenUnder: raw.written_under })
  }
}
