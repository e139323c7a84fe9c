import { randomUUID } from 'node:crypto'
import { remembered } from '../../lib/remembered.js'
import { Pacer } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { GENESIS } from '../../log/chain.js'
import type { Head } from '../../log/event.js'
import { toHead } from '../events.js'
import {
  type Build,
  BuildLost,
  type Commit,
  checkedBlobs,
  checkedState,
  type Fence,
  type Storage,
  StorageUnavailable,
  type TableSpec
} from '../storage.js'
import type { SqlDriver, Statement } from './dialect.js'
import { logStatements } from './log.js'
import { logReads } from './logReads.js'
import { rowReads } from './reads.js'
import { rowChanges, rowTexts } from './rows.js'
import { sqlBlobs, sqlState } from './state.js'
import { createTable, definitionOf, nameOf, ofPrefix, plainTables } from './tables.js'

const FIRST_GENERATION = 1
const NOTHING_HERE = 'The database has no hub in it yet. Run `hub migrate`.'
/** So many in one transaction. */
const ERASURES_MAX = 500

/** A Storage on any SQL database: everything but how statements reach it. */
export function sqlStorage(driver: SqlDriver, prefix: string, tables: readonly TableSpec[]): Storage {
  const { dialect } = driver
  const log = logStatements(dialect, prefix)
  let closed: Promise<void> | undefined
  const generation = remembered((number: number) => {
    const texts = rowTexts(dialect, prefix, number)
    return { texts, change: rowChanges(dialect, texts), reads: rowReads(driver, texts) }
  })
  const head = async (query = driver.query, statement: Statement = log.head): Promise<Head> => {
    const [row] = await query(statement)
    if (!row) throw new StorageUnavailable(NOTHING_HERE)
    return toHead(row)
  }
  let marked: { readonly mark: number; readonly head: Head } | undefined
  /** What was read under a mark is so as long as there is no other. Asked first: what is committed in between is then read again. */
  const unmoved = (mark: () => Promise<number>) => async (): Promise<Head> => {
    const now = await mark()
    if (marked?.mark !== now) marked = { mark: now, head: await head() }
    return marked.head
  }
  const creation = (number: number) =>
    tables.flatMap((table) => createTable(dialect, prefix, definitionOf(table, number)))
  const buildOf = async (number: number): Promise<Build | null> => {
    const [row] = await driver.query(log.build(number))
    if (!row) return null
    const builder = row.builder === null ? null : String(row.builder)
    return { position: Number(row.position), label: String(row.label), builder }
  }
  /** Work whose statements break a constraint unless the fence holds. */
  const fenced = async <T>({ generation, builder, position }: Fence, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const build = await buildOf(generation).catch(() => undefined)
      const isMoved = build?.position !== position && !(error instanceof StorageUnavailable)
      const isLost = build !== undefined && (build?.builder !== builder || isMoved)
      throw isLost ? new BuildLost(generation, { cause: error }) : error
    }
  }
  /** Work that begins with the claim of a generation. */
  const claiming = async (number: number, over: string | null, work: (builder: string) => Promise<unknown>) => {
    const builder = randomUUID()
    try {
      await work(builder)
      return builder
    } catch (error) {
      const build = await buildOf(number).catch(() => null)
      const isOthers = build !== null && build.builder !== over && build.builder !== builder
      const isLive = !isOthers && (await head().catch(() => null))?.generation === number
      throw isOthers || isLive ? new BuildLost(number, { cause: error }) : error
    }
  }
  /** Takes the tables of a generation away, and makes what then is there. */
  const remade = (number: number, over: string | null, made: (builder: string) => readonly Statement[]) =>
    claiming(number, over, (builder) => {
      // Where tables are not made in a transaction, nobody goes on with what is not labelled yet.
      const claim = [...log.claimBuild(number, over, builder), log.labelBuild(number, builder, '')]
      const removal = tables.map((table) => `DROP TABLE IF EXISTS ${prefix}${nameOf(table, number)}`)
      return driver.makeTables([...claim, ...removal.map((text) => ({ text, values: [] })), ...made(builder)])
    })
  /** What a commit writes behind the head that it moves: however much that is, others have their turn meanwhile. */
  const written = async ({ events, ops, head }: Pick<Commit, 'events' | 'ops' | 'head'>) => {
    const statements: Statement[] = []
    const pacer = new Pacer()
    const made = async <T>(all: readonly T[], statementOf: (one: T) => Statement) => {
      for (const one of all) {
        statements.push(statementOf(one))
        if (pacer.isDue) await pacer.rest()
      }
    }
    await made(events, log.append)
    await made(ops, generation(head.generation).change)
    return statements
  }

  const tablesOf = async (prefix: string): Promise<readonly string[]> => {
    const rows = await driver.query({ text: dialect.tableNames, values: [prefix] })
    return ofPrefix(
      prefix,
      rows.map(({ name }) => String(name))
    )
  }
  const grantsOf = (write: NonNullable<SqlDriver['grants']>) => async (prefixes: readonly string[]) => {
    const logs = await Promise.all(
      prefixes.map(async (prefix) => ({
        prefix,
        others: (await tablesOf(prefix)).filter((name) => name !== `${prefix}log`)
      }))
    )
    return write({ serving: `${prefix}serving`, erasing: `${prefix}erasing`, logs })
  }

  return {
    head: driver.mark ? unmoved(driver.mark) : () => head(),

    async commit(commit) {
      const { after, head, switch: to } = commit
      const all = await written(commit)
      const send = async (statements: readonly Statement[]) =>
        (await driver.transaction(statements, log.moveHead(after, head))) === 'done' ? 'committed' : 'stale'
      if (!to) return send(all)
      const { fence, left } = to
      const released = { position: fence.position, builder: randomUUID() }
      const before = log.setBuild(after.generation, after.position, left, randomUUID())
      return fenced(fence, () => send([...log.moveBuild(fence, released), before, ...all]))
    },

    async write(decide) {
      const outcome = await driver.locked(log.lockedHead, async ([row]) => {
        if (!row) throw new StorageUnavailable(NOTHING_HERE)
        const commit = await decide(toHead(row))
        if (!commit) return null
        return { guard: log.moveHead(commit.after, commit.head), statements: await written(commit) }
      })
      return outcome === 'done' ? 'committed' : 'stale'
    },

    ...logReads(driver, prefix),
    rows: (number) => generation(number).reads,
    beside(other) {
      // Many hubs are asked a little each: no connection keeps what it has made of such a question.
      const query: SqlDriver['query'] = (statement) => driver.query({ ...statement, isPlannedAnew: true })
      return {
        head: () => head(query, logStatements(dialect, other).head),
        rows: (number) => rowReads({ ...driver, query }, rowTexts(dialect, other, number))
      }
    },

    createGeneration: (number, over, label) =>
      remade(number, over, (builder) => [...creation(number), log.labelBuild(number, builder, label)]),
    async takeOver(number, over) {
      // Waits for what is on its way under the fence before, so that nothing moves from then on.
      const builder = await claiming(number, over, (own) => driver.transaction(log.claimBuild(number, over, own)))
      const build = await buildOf(number)
      if (build?.builder !== builder) throw new BuildLost(number)
      return { ...build, builder }
    },
    async dropGeneration(number, over) {
      await remade(number, over, () => [])
    },

    async apply(fence, ops, position) {
      const { generation: number, builder } = fence
      const statements = ops.map(generation(number).change)
      await fenced(fence, () => driver.transaction([...log.moveBuild(fence, { position, builder }), ...statements]))
    },

    changesAtOnce: dialect.changesAtOnce,
    buildOf,

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

    state: checkedState(sqlState(driver, prefix)),
    blobs: checkedBlobs(sqlBlobs(driver, prefix)),

    async erase(erasures) {
      for (const some of slices(erasures, ERASURES_MAX)) await driver.transaction(some.map(log.erase))
      await driver.forget?.()
    },

    ...(driver.timeline && { timeline: driver.timeline }),
    ...(driver.notBefore && { notBefore: driver.notBefore }),
    circumstances: async () => (await driver.circumstances?.()) ?? [],
    async version() {
      const [row] = await driver.query({ text: dialect.versionQuery, values: [] })
      return String(row?.version)
    },
    pool: () => driver.pool?.() ?? null,
    documents: () => null,

    schema: {
      ...(driver.grants && { grants: grantsOf(driver.grants) }),
      exclusively: (work, what = 'migrate', signal) => driver.exclusively(`${prefix}${what}`, work, signal),
      async applied() {
        if (!(await driver.hasTable(`${prefix}migrations`))) return []
        return (await driver.query(log.migrations)).map((row) => Number(row.number))
      },
      async record(number, name, at) {
        await driver.query(log.recordMigration(number, name, at))
      },
      async createTables() {
        const empty = { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: FIRST_GENERATION }
        const all = plainTables.flatMap((table) => createTable(dialect, prefix, table))
        await driver.makeTables([...all, log.startHead(empty)])
        await driver.makeTables(creation((await head()).generation))
      },
      async writeUnder(text) {
        await driver.transaction([log.writeUnder(text)])
      },
      async drop() {
        const own = await tablesOf(prefix)
        await driver.makeTables(own.map((name) => ({ text: `DROP TABLE IF EXISTS ${name}`, values: [] })))
      }
    },
    close: () => (closed ??= driver.close())
  }
}
