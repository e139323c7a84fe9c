import type { Head, StoredEvent } from '../../log/event.js'
import type { Erasure, Fence } from '../storage.js'
import { type Dialect, inserts, type Parameter, raw, type Statement, snake, sql, statements } from './dialect.js'
import { logTable } from './tables.js'

/** Statements that write the log of one prefix, and that ask for what is beside it. */
export function logStatements(dialect: Dialect, prefix: string) {
  const statement = statements(dialect)
  const upsert = (key: string, some: readonly string[]) => raw(dialect.upsert(key, some))
  const table = (name: string) => raw(prefix + name)
  const [log, head, builds] = [table('log'), table('head'), table('builds')]
  const append = inserts(dialect, `${prefix}log`, Object.keys(logTable.columns).map(snake))
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
