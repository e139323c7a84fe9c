import type { Row, Snapshot, Storage, TableSpec } from '../src/storage/storage.js'
import { type Digest, lineOf, rowsOf } from './digest.js'
import { tables } from './index.js'
import { type ReadEvents, replay } from './replay.js'

const PAGE = 500
const DIFFERENCES_MAX = 100
/** A generation that is never live: verification builds it, and drops it again. */
const SCRATCH = 0

/** Where verification builds its read tables. */
export interface Scratch {
  readonly storage: Storage
  /** Lets go of it. */
  close(): Promise<void>
}

export interface Difference {
  readonly id: string
  /** `missing` is in the replay only, `extra` in the live table only. */
  readonly kind: 'missing' | 'extra' | 'changed'
  readonly columns: readonly string[]
}

export interface TableReport {
  readonly table: string
  readonly rows: number
  /** Of the live rows and of the replayed ones, ascending by id; equal where nothing differs. */
  readonly live: string
  readonly replayed: string
  readonly differences: readonly Difference[]
}

export interface Verification {
  readonly position: number
  readonly tables: readonly TableReport[]
  readonly equal: boolean
}

/**
 * Replays the whole log into a fresh generation and compares every read table, row by row, with the live one as both were
 * at one position. Writers go on meanwhile. At most 100 differences are listed for each table. `open` says where the fresh
 * generation is made, by default beside the live one; it is called while no other verification of this log is under way.
 */
export function verify(
  storage: Storage,
  read: ReadEvents,
  digest: Digest,
  progress?: (position: number) => void,
  open: () => Promise<Scratch> = async () => ({ storage, close: async () => {} })
): Promise<Verification> {
  return storage.schema.exclusively(async () => {
    const { storage: scratch, close } = await open()
    let builder = (await scratch.buildOf(SCRATCH))?.builder ?? null
    try {
      const own = await scratch.createGeneration(SCRATCH, builder, 'verification')
      builder = own
      const { position: head } = await storage.head()
      const reached = await replay(scratch, read, { generation: SCRATCH, builder, from: 0, to: head }, progress)
      return await storage.snapshot(async (live) => {
        await replay(scratch, read, { generation: SCRATCH, builder: own, from: reached, to: live.head.position })
        const reports: TableReport[] = []
        for (const table of tables) reports.push(await compare(scratch, live, table, digest))
        const equal = reports.every((report) => report.live === report.replayed)
        return { position: live.head.position, tables: reports, equal }
      })
    } finally {
      await scratch.dropGeneration(SCRATCH, builder).finally(close)
    }
  }, 'verify')
}

async function compare({ scan }: Storage, live: Snapshot, table: TableSpec, digest: Digest): Promise<TableReport> {
  const left = rowsOf((after) => live.scan(table, after, PAGE))
  const right = rowsOf((after) => scan(SCRATCH, table, after, PAGE))
  const digests = { live: digest(), replayed: digest() }
  const differences: Difference[] = []
  let rows = 0
  let a = await left.next()
  let b = await right.next()
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compareIds(a.value.id, b.value.id)
    const difference = differenceOf(order <= 0 && !a.done ? a.value : null, order >= 0 && !b.done ? b.value : null)
    if (difference && differences.length < DIFFERENCES_MAX) differences.push(difference)
    if (order <= 0 && !a.done) {
      rows++
      digests.live.update(lineOf(a.value))
      a = await left.next()
    }
    if (order >= 0 && !b.done) {
      digests.replayed.update(lineOf(b.value))
      b = await right.next()
    }
  }
  const hex = { live: digests.live.digest('hex'), replayed: digests.replayed.digest('hex') }
  return { table: table.name, rows, ...hex, differences }
}

function differenceOf(live: Row | null, replayed: Row | null): Difference | null {
  if (!live || !replayed) {
    const only = live ?? replayed
    return only && { id: only.id, kind: live ? 'extra' : 'missing', columns: [] }
  }
  const other = new Map(Object.entries(replayed))
  const columns = Object.entries(live).flatMap(([column, value]) => (value === other.get(column) ? [] : [column]))
  return columns.length > 0 ? { id: live.id, kind: 'changed', columns } : null
}

/** Ids are ASCII, so code units order them as every database does. */
function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
