import type { Head, StoredEvent } from '../../log/event.js'
import type { Erasure, Fence } from '../storage.js'
import { type Dialect, inserts, type Parameter, type Statement, snake } from './dialect.js'
import { searchStatements } from './search.js'
import { logTable } from './tables.js'

/** The row of the head. */
const HEAD = 1

const columns = Object.keys(logTable.columns)
const names = columns.map(snake)
/** A header has no columns behind a payload, which may be megabytes long. */
const headerColumns = columns.slice(0, columns.indexOf('payload')).filter((column) => column !== 'who')
/** What is selected of an event, by the names of its fields. */
const selected = (some: readonly string[]) =>
  some.map((column) => `${snake(column)} AS "${column === 'schemaVersion' ? 'schema' : column}"`).join(', ')

/** Statements on the log of one prefix. */
export function logStatements(dialect: Dialect, prefix: string) {
  const { placeholder: p, upsert } = dialect
  const select = `SELECT ${selected(columns)} FROM ${prefix}log`
  const header = `${selected(headerColumns)}, CASE WHEN ${dialect.isNull('payload')} THEN 1 ELSE 0 END AS payload_erased`
  const selectHeaders = `SELECT ${header} FROM ${prefix}log`
  const selectSizes = `SELECT position, version, ${dialect.bytesOf('payload')} AS bytes FROM ${prefix}log`
  const among = (selection: string, positions: readonly number[]): Statement => {
    const { text, values } = dialect.isIn('position', positions, 1)
    return { text: `${selection} WHERE ${text} ORDER BY position`, values }
  }
  const between = (selection: string, after: number, through: number): Statement => ({
    text: `${selection} WHERE position > ${p(1)} AND position <= ${p(2)} ORDER BY position`,
    values: [after, through]
  })
  const behind = (selection: string, after: number, limit: number): Statement => ({
    text: `${selection} WHERE position > ${p(1)} ORDER BY position LIMIT ${p(2)}`,
    values: [after, limit],
    hasLimit: true
  })
  const append = inserts(dialect, `${prefix}log`, names)
  const touch = inserts(dialect, `${prefix}token_use`, ['id', 'used_at'], upsert('id', ['used_at']))
  /** A row where there is none, of nobody's. */
  const startBuild = (generation: number): Statement => ({
    text: `INSERT INTO ${prefix}builds (generation, position, label) VALUES (${p(1)}, 0, '') ${upsert('generation', ['generation'])}`,
    values: [generation]
  })
  const head = `SELECT position, chain, at, generation, seal, written_under AS "writtenUnder" FROM ${prefix}head WHERE id = ${HEAD}`
  return {
    startBuild,
    head: { text: head, values: [] },
    /** The head, which nobody else changes before the transaction is over. */
    lockedHead: head + dialect.forUpdate,
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
    append: (event: StoredEvent): Statement => append(toRow(event)),
    /** How large the events above a position are: position, version and bytes of each. */
    sizes: (after: number, limit: number) => behind(selectSizes, after, limit),
    headers: (after: number, limit: number) => behind(selectHeaders, after, limit),
    read: (after: number, through: number) => between(select, after, through),
    types: (after: number, through: number) =>
      between(`SELECT position, stream, type FROM ${prefix}log`, after, through),
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
    erase: ({ event, part, text }: Erasure): Statement => ({
      text: `UPDATE ${prefix}log SET ${part} = ${p(1)}, ${part}_salt = NULL WHERE position = ${p(2)}`,
      values: [text, event.position]
    }),
    touch: (id: string, usedAt: string): Statement => touch([id, usedAt]),
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

/** The values of an event's row, in the order of the log's columns. */
function toRow(e: StoredEvent): readonly Parameter[] {
  return [
    ...[e.position, e.stream, e.version, e.type, e.schema, e.at, e.commandId, e.actorId, e.tokenId, e.requestId],
    ...[e.correlationId, e.causation, e.chain, e.who.text, e.who.salt, e.who.commitment],
    ...[e.payload.text, e.payload.salt, e.payload.commitment]
  ]
}
