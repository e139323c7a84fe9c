import { randomUUID } from 'node:crypto'
import { fitting, LIMITS } from '../../src/limits.js'
import { GENESIS } from '../../src/log/chain.js'
import type { Head, LinkedHeader, StoredEvent } from '../../src/log/event.js'
import { columnOf, compareValues, indexOf, isBefore, select } from '../../src/storage/order.js'
import { idOf, isBulk, rowAfter } from '../../src/storage/rowOps.js'
import { identityPrefix, wantsHeader } from '../../src/storage/search.js'
import {
  type BlobStore,
  type Build,
  BuildLost,
  type Columns,
  type Commit,
  checkedBlobs,
  checkedState,
  type Fence,
  type LogFilter,
  type PagedReads,
  type Row,
  type RowOp,
  type StateEntry,
  type StateStore,
  type Storage,
  type TableSpec
} from '../../src/storage/storage.js'

/** A log in memory, for tests: the plainest reading of the port that the other drivers are held to. */
export function openMemory(): Storage {
  let head: Head | null = null
  const log: StoredEvent[] = []
  const versions = new Set<string>()
  const generations = new Map<number, Tables>()
  const builds = new Map<number, Build>()
  const uses = new Map<string, string>()
  const migrations = new Set<number>()
  const locks = new Map<string, Promise<unknown>>()

  const ready = (): Head => {
    if (!head) throw new Error('The log is not set up.')
    return head
  }
  const tablesOf = (generation: number): Tables => {
    const tables = generations.get(generation)
    if (!tables) throw new Error(`There is no generation ${generation}.`)
    return tables
  }

  const requireFence = ({ generation, builder, position }: Fence) => {
    const build = builds.get(generation)
    if (build?.builder !== builder || build.position !== position) throw new BuildLost(generation)
    return build
  }
  const requireFree = (generation: number, over: string | null) => {
    const isLive = head?.generation === generation
    if (isLive || (builds.get(generation)?.builder ?? null) !== over) throw new BuildLost(generation)
  }

  const append = ({ after, events, ops, head: next, switch: to }: Commit) => {
    const { position, chain, writtenUnder } = ready()
    if (after.position !== position || after.chain !== chain || after.writtenUnder !== writtenUnder) return 'stale'
    const filled = to && requireFence(to.fence)
    const tables = changed(tablesOf(next.generation), ops)
    for (const { stream, version } of events) {
      if (versions.has(`${stream} ${version}`)) throw new Error(`There is a version ${version} of ${stream}.`)
    }
    generations.set(next.generation, tables)
    for (const event of events) {
      versions.add(`${event.stream} ${event.version}`)
      log.push(event)
    }
    if (to && filled) {
      builds.set(next.generation, { ...filled, builder: randomUUID() })
      builds.set(after.generation, { position, label: to.left, builder: randomUUID() })
    }
    head = next
    return 'committed'
  }
  /** The lock of the head: whoever has it writes. */
  let writing: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = writing.then(work)
    writing = mine.catch(() => {})
    return mine
  }

  const readLog = async (after: number, limit: number) => pageOf(log.slice(after, after + limit))

  return {
    head: async () => ready(),
    circumstances: async () => [],
    version: async () => 'memory',
    pool: () => null,
    documents: () => null,
    commit: (commit) => inTurn(async () => append(commit)),
    write: (decide) =>
      inTurn(async () => {
        const commit = await decide(ready())
        return commit ? append(commit) : 'committed'
      }),
    readLog,
    readHeaders: async (after, limit) => log.slice(after, after + limit).map(headerOf),
    readTypes: async (after, through) => log.slice(after, through),
    readAt: async (positions) => pageOf(log.filter(({ position }) => positions.includes(position))),
    async searchLog(filter, { after, through }, limit, newestFirst) {
      const found = log.slice(after, through).filter((event) => wants(filter, event))
      return (newestFirst ? found.reverse() : found).slice(0, limit).map(headerOf)
    },
    lastOf: async (streams, types, through) =>
      streams.flatMap((stream) => {
        const last = log.findLast(
          (event) => event.stream === stream && types.includes(event.type) && event.position <= through
        )
        return last ? [headerOf(last)] : []
      }),
    rows: (generation) => reads(() => tablesOf(generation)),
    async createGeneration(generation, over, label) {
      requireFree(generation, over)
      const builder = randomUUID()
      builds.set(generation, { position: 0, label, builder })
      generations.set(generation, new Map())
      return builder
    },
    async takeOver(generation, over) {
      requireFree(generation, over)
      const taken = { position: 0, label: '', ...builds.get(generation), builder: randomUUID() }
      builds.set(generation, taken)
      return taken
    },
    changesAtOnce: 100_000,
    buildOf: async (generation) => builds.get(generation) ?? null,
    async dropGeneration(generation, over) {
      requireFree(generation, over)
      builds.set(generation, { position: 0, label: '', builder: randomUUID() })
      generations.delete(generation)
    },
    async apply(fence, ops, position) {
      const build = requireFence(fence)
      generations.set(fence.generation, changed(tablesOf(fence.generation), ops))
      builds.set(fence.generation, { ...build, position })
    },
    scan: async (generation, table, afterId, limit) => scan(tablesOf(generation), table, afterId, limit),
    async snapshot(read) {
      const at = ready()
      // Tables are replaced and never changed, so these stay as they are.
      const frozen = tablesOf(at.generation)
      return read({ head: at, scan: async (table, afterId, limit) => scan(frozen, table, afterId, limit) })
    },
    async erase(erasures) {
      for (const { event, part, text } of erasures) {
        const stored = log[event.position - 1]
        if (stored) log[event.position - 1] = { ...stored, [part]: { ...stored[part], text, salt: null } }
      }
    },
    async touchTokens(touched) {
      for (const [id, at] of touched) uses.set(id, at)
    },
    tokenUses: async () => new Map(uses),
    state: checkedState(memoryState()),
    blobs: checkedBlobs(memoryBlobs()),
    schema: {
      async drop() {
        throw new Error('A log in memory goes with its process.')
      },
      exclusively(work, what = 'migrate', signal) {
        return new Promise((resolve, reject) => {
          let isBegun = false
          signal?.addEventListener('abort', () => isBegun || reject(signal.reason))
          const mine = (locks.get(what) ?? Promise.resolve()).then(() => {
            signal?.throwIfAborted()
            isBegun = true
            return work()
          })
          mine.then(resolve, reject)
          locks.set(
            what,
            mine.catch(() => {})
          )
        })
      },
      applied: async () => [...migrations].sort((a, b) => a - b),
      async record(number) {
        migrations.add(number)
      },
      async createTables() {
        head ??= { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: 1 }
        if (!generations.has(head.generation)) generations.set(head.generation, new Map())
      },
      async writeUnder(text) {
        head = { ...ready(), writtenUnder: text }
      }
    },
    async close() {}
  }
}

function memoryState(): StateStore {
  const entries = new Map<string, StateEntry>()
  return {
    async get(key) {
      return entries.get(key) ?? null
    },
    async put(key, text, over) {
      if ((entries.get(key)?.mark ?? null) !== over) return null
      const mark = randomUUID()
      entries.set(key, { key, text, mark })
      return mark
    },
    list: async (prefix, after, limit) =>
      [...entries.values()]
        .filter(({ key }) => key.startsWith(prefix) && key > after)
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, limit),
    async delete(key) {
      entries.delete(key)
    }
  }
}

function memoryBlobs(): BlobStore {
  const entries = new Map<string, Buffer>()
  return {
    async get(key) {
      return entries.get(key) ?? null
    },
    async put(key, bytes) {
      entries.set(key, Buffer.from(bytes))
    },
    list: async (after, limit) =>
      [...entries.keys()]
        .filter((key) => key > after)
        .sort()
        .slice(0, limit),
    async delete(key) {
      entries.delete(key)
    }
  }
}

/** An event without its texts. */
function headerOf({ who, payload, ...header }: StoredEvent): LinkedHeader {
  return { ...header, whoErased: who.salt === null, payloadErased: payload.text === null }
}

function pageOf(events: readonly StoredEvent[]): readonly StoredEvent[] {
  return fitting(events, LIMITS.page, ({ payload }) => Buffer.byteLength(payload.text ?? ''))
}

const bytesOf = ({ body }: Row) => Buffer.byteLength(body)

// Rows of a table have the columns of its spec: `put` is typed so.
function typed<C extends Columns>(_table: TableSpec<C>, rows: readonly Row[], withBody = true): readonly Row<C>[] {
  return (withBody ? rows : rows.map((row) => ({ ...row, body: '' }))) as readonly Row<C>[]
}

function reads(tables: () => Tables): PagedReads {
  const rowsOf = (table: TableSpec): ReadonlyMap<string, Row> => tables().get(table.name) ?? new Map()
  return {
    get: async (table, id) => typed(table, [rowsOf(table).get(id) ?? []].flat())[0] ?? null,
    getAll: async (table, ids, { body } = {}) =>
      typed(
        table,
        [...new Set(ids)].flatMap((id) => rowsOf(table).get(id) ?? []),
        body
      ),
    list: async (table, index, key, options = {}) =>
      typed(table, select(rowsOf(table).values(), indexOf(table, index), key, options), options.body),
    listPart: async (table, index, key, part) =>
      typed(table, select(rowsOf(table).values(), indexOf(table, index), key, part), false),
    async wholeList(table, index, key, selection = {}) {
      const rows = select(rowsOf(table).values(), indexOf(table, index), key, selection)
      const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
      const isWhole = rows.length <= LIMITS.wholeListRows.max && bytes <= LIMITS.wholeList.max
      return isWhole ? typed(table, rows) : null
    },
    outline: async (table, index, key, selection = {}) =>
      select(rowsOf(table).values(), indexOf(table, index), key, selection).map((row) => ({
        id: row.id,
        revision: row.revision,
        bytes: bytesOf(row)
      })),
    getPage: async (table, ids) => {
      const rows = ids.flatMap((id) => rowsOf(table).get(id) ?? [])
      return typed(table, fitting(rows, LIMITS.page, bytesOf))
    },
    async count(table, index, key, before) {
      const rows = select(rowsOf(table).values(), indexOf(table, index), key, {})
      return before ? rows.filter((row) => isBefore(row, indexOf(table, index), before)).length : rows.length
    }
  }
}

function scan(tables: Tables, table: TableSpec, afterId: string, limit: number): readonly Row[] {
  const rows = [...(tables.get(table.name)?.values() ?? [])]
    .filter(({ id }) => compareValues(id, afterId) > 0)
    .sort((a, b) => compareValues(a.id, b.id))
  return fitting(rows.slice(0, limit), LIMITS.page, bytesOf)
}

/** The rows of one generation, by table and id. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** The tables as row changes leave them; throws, with nothing changed, when two rows would share a unique key. */
export function changed(tables: Tables, ops: readonly RowOp[]): Tables {
  const touched = new Map<string, { readonly table: TableSpec; readonly rows: Map<string, Row> }>()
  for (const op of ops) {
    const { table } = op
    const { rows } = touched.get(table.name) ?? { rows: new Map(tables.get(table.name)) }
    touched.set(table.name, { table, rows })
    applyTo(rows, op)
  }
  for (const { table, rows } of touched.values()) requireUnique(table, rows)
  return new Map([...tables, ...[...touched].map(([name, { rows }]) => [name, rows] as const)])
}

function applyTo(rows: Map<string, Row>, op: RowOp): void {
  for (const id of isBulk(op) ? [...rows.keys()] : [idOf(op)]) {
    const after = rowAfter(rows.get(id) ?? null, op, op.table, id)
    if (after) rows.set(id, after)
    else rows.delete(id)
  }
}

function requireUnique(table: TableSpec, rows: ReadonlyMap<string, Row>): void {
  for (const [name, { by, unique }] of Object.entries(table.indexes)) {
    if (!unique) continue
    const keys = [...rows.values()]
      .map((row) => by.map((column) => columnOf(row, column)))
      .filter((values) => !values.includes(null))
      .map((values) => JSON.stringify(values))
    if (new Set(keys).size < keys.length) throw new Error(`Two rows of ${table.name} have the same key ${name}.`)
  }
}

/** What a filter means: every driver must mean the same. */
function wants(filter: LogFilter, event: StoredEvent): boolean {
  const { address } = filter
  return (
    wantsHeader(filter, event) &&
    (address === undefined || (event.who.text?.startsWith(identityPrefix(address)) ?? false))
  )
}
