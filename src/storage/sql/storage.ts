import { GENESIS } from '../../log/chain.js'
import type { Head } from '../../log/event.js'
import { type Commit, type Storage, StorageUnavailable, type TableSpec } from '../storage.js'
import { bulkStatements } from './bulk.js'
import { changeStatements } from './changes.js'
import { addColumn, completeTable, createIndexes, createTable, definitionOf, fillingOf, nameOf } from './ddl.js'
import { type SqlDriver, snake } from './dialect.js'
import { headerReads } from './headers.js'
import {
  buildsTable,
  headTable,
  logStatements,
  logTable,
  migrationsTable,
  toEvent,
  toHead,
  tokenUseTable,
  toOccurrence
} from './log.js'
import { pageCutter } from './pages.js'
import { type RowReads, rowReads } from './reads.js'
import { type RowStatements, rowStatements } from './rows.js'

const FIRST_GENERATION = 1
/** So many in one transaction. */
const ERASURES_MAX = 500

/** A Storage on any SQL database: everything but how statements reach it. */
export function sqlStorage(driver: SqlDriver, prefix: string, tables: readonly TableSpec[]): Storage {
  const { dialect } = driver
  const log = logStatements(dialect, prefix)
  const page = pageCutter(driver.query)
  let closed: Promise<void> | undefined
  const generations = new Map<number, { readonly texts: RowStatements; readonly reads: RowReads }>()
  const generation = (number: number) => {
    const known = generations.get(number)
    if (known) return known
    const texts = rowStatements(dialect, prefix, number)
    const fresh = { texts, reads: rowReads(driver, texts) }
    generations.set(number, fresh)
    return fresh
  }
  const head = async (query = driver.query): Promise<Head> => {
    const [row] = await query(log.head)
    if (!row) throw new StorageUnavailable('The database has no hub in it yet. Run `hub migrate`.')
    return toHead(row)
  }
  const creation = (number: number, define = definitionOf) =>
    tables.flatMap((table) => createTable(dialect, prefix, define(table, number)))
  /** Single events, which are asked for most, need no measuring. */
  const endOfLogPage = async (after: number, limit: number) =>
    limit === 1 ? after + 1 : page.end('position', limit, (some) => log.sizes(after, some))
  const { buildLock } = dialect
  const whenBuilding = buildLock ? [buildLock.statement(prefix, 'tables')] : []
  const whenMaking = buildLock?.isRow ? [] : whenBuilding
  const whenIndexing = buildLock && !buildLock.isRow ? [buildLock.statement(prefix, 'indexes')] : []
  const removal = (number: number) =>
    tables.map((table) => ({ text: `DROP TABLE IF EXISTS ${prefix}${nameOf(table, number)}`, values: [] }))

  return {
    head: () => head(),

    async commit({ after, events, ops, head }: Commit) {
      const changes = changeStatements(generation(head.generation).texts, ops)
      const outcome = await driver.transaction([...events.map(log.append), ...changes], log.moveHead(after, head))
      return outcome === 'done' ? 'committed' : 'stale'
    },

    async readLog(after, limit) {
      const through = await endOfLogPage(after, limit)
      return through === null ? [] : (await driver.query(log.read(after, through))).map(toEvent)
    },
    ...headerReads(driver, log),
    async readTypes(after, through) {
      const rows = after < through ? await driver.query(log.types(after, through)) : []
      return rows.map(({ type }) => ({ type: String(type) }))
    },
    async readOccurrences(after, limit) {
      const through = await endOfLogPage(after, limit)
      return through === null ? [] : (await driver.query(log.readOccurrences(after, through))).map(toOccurrence)
    },
    async readAt(positions) {
      if (positions.length === 0) return []
      const through = await page.end('position', positions.length, () => log.sizesAt(positions))
      const some = positions.filter((position) => position <= (through ?? 0))
      return some.length === 0 ? [] : (await driver.query(log.readAt(some))).map(toEvent)
    },
    async readStream(stream, after, limit) {
      const through = await page.end('version', limit, (some) => log.streamSizes(stream, after, some))
      return through === null ? [] : (await driver.query(log.readStream(stream, after, through))).map(toEvent)
    },
    rows: (number) => generation(number).reads,

    async createGeneration(number) {
      // A database that an earlier version has set up has no table of builds yet.
      const builds = createTable(dialect, prefix, buildsTable)
      const empty = creation(number, dialect.indexesWhenFilled ? fillingOf : definitionOf)
      await driver.transaction([...whenMaking, ...builds, log.forgetBuild(number), ...removal(number), ...empty])
    },
    async completeGeneration(number) {
      if (!dialect.indexesWhenFilled) return
      const completion = tables.flatMap((table) => completeTable(dialect, prefix, table, number))
      await driver.makeIndexes([...whenIndexing, ...completion])
    },
    async dropGeneration(number) {
      await driver.transaction([log.forgetBuild(number), ...removal(number)])
    },

    async apply(number, ops, build) {
      const { texts } = generation(number)
      const nameIn = (table: TableSpec) => prefix + nameOf(table, number)
      const statements = dialect.bulk
        ? bulkStatements(dialect.bulk, nameIn, texts.op, ops)
        : changeStatements(texts, ops)
      const all = build ? [...statements, log.setBuild(number, build)] : statements
      if (all.length > 0) await driver.transaction([...whenBuilding, ...all])
    },

    changesAtOnce: dialect.changesAtOnce,
    async buildOf(number) {
      const [row] = await driver.query(log.build(number))
      return row ? { position: Number(row.position), label: String(row.label) } : null
    },

    scan: (number, table, afterId, limit) => generation(number).reads.scan(table, afterId, limit),

    snapshot: (read) =>
      driver.session(true, async (query) => {
        const at = await head(query)
        const { scan } = rowReads({ ...driver, query }, generation(at.generation).texts)
        return read({ head: at, scan })
      }),

    async touchTokens(uses) {
      // In one order everywhere, or two processes could each wait for a row that the other has written.
      const ordered = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
      if (ordered.length > 0) await driver.transaction(ordered.map(([id, at]) => log.touch(id, at)))
    },
    async tokenUses() {
      return new Map((await driver.query(log.uses)).map((row) => [String(row.id), String(row.used_at)]))
    },

    async erase(erasures) {
      for (let i = 0; i < erasures.length; i += ERASURES_MAX)
        await driver.transaction(erasures.slice(i, i + ERASURES_MAX).map(log.erase))
    },

    schema: {
      exclusively: (work, what = 'migrate') =>
        driver.exclusively(`${prefix}${what}`, async () => {
          // Whoever held the lock before may be gone, and what it sent last not done yet.
          const canWait = buildLock && (!buildLock.isRow || (await driver.hasTable(prefix + buildsTable.name)))
          if (canWait) await driver.transaction(whenBuilding)
          return work()
        }),
      async applied() {
        if (!(await driver.hasTable(`${prefix}migrations`))) return []
        return (await driver.query(log.migrations)).map((row) => Number(row.number))
      },
      async record(number, name, at) {
        await driver.query(log.recordMigration(number, name, at))
      },
      async createTables() {
        const plain = [logTable, headTable, tokenUseTable, migrationsTable, buildsTable]
        const empty = { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: FIRST_GENERATION }
        await driver.transaction([
          ...whenMaking,
          ...plain.flatMap((table) => createTable(dialect, prefix, table)),
          log.startHead(empty)
        ])
        await driver.transaction([...whenMaking, ...creation((await head()).generation)])
      },
      async addHeadColumn(column, kind) {
        // On a connection of its own: one that is used again remembers which columns there were.
        const [row] = await driver.session(false, (query) => query(log.wholeHead))
        if (row && !(snake(column) in row))
          await driver.transaction([addColumn(dialect, prefix, headTable, column, kind)])
      },
      async indexLog() {
        const rows = await driver.query({ text: dialect.indexNames, values: [`${prefix}${logTable.name}`] })
        const present = new Set(rows.map(({ name }) => String(name)))
        const missing = createIndexes(dialect, prefix, logTable, present)
        // One after another, so that nobody waits for all of them.
        for (const index of missing) await driver.makeIndexes([...whenIndexing, index])
      }
    },
    close: () => (closed ??= driver.close())
  }
}
