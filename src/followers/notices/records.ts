import { z } from 'zod'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { requestsTable } from '../../../commands/records/request/table.js'
import { runResultsTable } from '../../../commands/records/runResult/table.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS, slices } from '../../limits.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import type { Row } from '../../storage/storage.js'
import type { Location, NewsEvent, RecordNews } from './news.js'

type Reads = Pick<ReadModel, 'getAll' | 'list'>

/** So many rows are asked for at a time. */
export const ROWS_AT_ONCE = 500
/** Of those who have saved a request so many are remembered: whoever did it last is told of what others did before. */
const SAVERS_KEPT = 4

/** A record on the board. Without a place it is gone, or not looked up yet. */
interface Known<T> {
  what: T
  place: Location | null
  /** The collection that it was in when it was there last; undefined while that is not known. */
  collectionId: string | null | undefined
}

/** The last of something that happened, by the record that it happened to. What happened last stands at the end. */
export abstract class RecentRecords<T> {
  protected readonly known = new Map<string, Known<T>>()
  protected readonly readModel: Reads
  readonly #touched = new Set<string>()

  constructor(readModel: Reads) {
    this.readModel = readModel
  }

  /** The record may be elsewhere now, or gone, or back. */
  protected touchOne(id: string): void {
    if (this.known.has(id)) this.#touched.add(id)
  }

  /** The same of all that is in these collections, or was when it was there last; of everything for null. */
  touchWithin(collections: readonly string[] | null): void {
    for (const [id, { collectionId }] of this.known) {
      if (collections === null || typeof collectionId !== 'string' || collections.includes(collectionId))
        this.#touched.add(id)
    }
  }

  /** Looks up where everything is that was touched. */
  async resolve(): Promise<void> {
    for (const ids of slices([...this.#touched], ROWS_AT_ONCE)) {
      for (const id of ids) this.#touched.delete(id)
      try {
        await this.lookUp(ids)
      } catch (error) {
        for (const id of ids) this.#touched.add(id)
        throw error
      }
      await giveWay()
    }
  }

  protected abstract lookUp(ids: readonly string[]): Promise<void>

  /** Puts a record behind all others, and lets go of the one that nothing has happened to for the longest time. */
  protected putLast(id: string, what: T): void {
    const before = this.known.get(id)
    this.known.delete(id)
    this.known.set(id, before ? { ...before, what } : { what, place: null, collectionId: undefined })
    this.#touched.add(id)
    const [oldest] = this.known.keys()
    if (this.known.size <= LIMITS.noticed.max || oldest === undefined) return
    this.known.delete(oldest)
    this.#touched.delete(oldest)
  }

  /** Says where a record is; null for one that is gone. */
  protected place(id: string, place: Location | null): void {
    const known = this.known.get(id)
    if (!known) return
    known.place = place
    if (place) known.collectionId = place.collectionId
  }

  /** What is there, the last that has happened first. */
  *newestFirst(): Generator<RecordNews, void> {
    for (const [id, { what, place }] of [...this.known].reverse()) if (place) yield this.entry(id, what, place)
  }

  protected abstract entry(id: string, what: T, place: Location): RecordNews
}

/** Requests that were saved. */
export class SavedRequests extends RecentRecords<readonly NewsEvent[]> {
  add(saved: NewsEvent): void {
    const others = this.known.get(saved.id)?.what.filter(({ actorId }) => actorId !== saved.actorId) ?? []
    this.putLast(saved.id, [saved, ...others].slice(0, SAVERS_KEPT))
  }

  touch(kind: string, id: string): void {
    if (kind === 'request') this.touchOne(id)
  }

  protected async lookUp(ids: readonly string[]): Promise<void> {
    const rows = await this.readModel.getAll(requestsTable, ids, { body: false })
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const id of ids) {
      const row = byId.get(id)
      this.#takeFrom(id, row)
      const position = row && itemPositionOf(row)
      this.place(id, position ? { collectionId: position.collectionId, folderId: position.inside } : null)
    }
  }

  /** Who saved it in an older hub, and when, the row tells as long as nobody has changed it here. */
  #takeFrom(id: string, row: Row<typeof requestsTable.columns> | undefined): void {
    const known = this.known.get(id)
    if (!known?.what.some(({ isImported }) => isImported)) return
    const saver = row?.version === 1 && row.updatedAt !== row.createdAt ? row.updatedBy : null
    known.what = known.what.flatMap((save) => {
      if (!save.isImported) return save
      return row && saver !== null ? { ...save, isImported: false, at: row.updatedAt, actorId: saver } : []
    })
    if (known.what.length === 0) this.known.delete(id)
  }

  protected entry(id: string, saves: readonly NewsEvent[], place: Location): RecordNews {
    const target = { kind: 'request', id } as const
    const all = saves.map(({ position, at, actorId }) => {
      return { is: 'requestSaved', position, at, actorId, target, place } as const
    })
    return { newest: saves[0]?.position ?? 0, all }
  }
}

/** What happened in an older hub, as its record tells it. */
export function happenedIn(event: NewsEvent, at: string, actorId: string | null): NewsEvent {
  return event.isImported ? { ...event, at, actorId: actorId ?? '' } : event
}

const outcome = z.object({ summary: z.object({ failed: z.number() }) })

/** A shared run, and whether anything in it has failed, once that was looked up. */
interface Shared {
  readonly event: NewsEvent
  readonly hasFailed: boolean
}

/** Results of runs that were shared. */
export class RunResults extends RecentRecords<Shared> {
  add(event: NewsEvent): void {
    this.putLast(event.id, { event, hasFailed: false })
  }

  touch(kind: string, id: string): void {
    if (kind === 'runresult') this.touchOne(id)
  }

  protected async lookUp(ids: readonly string[]): Promise<void> {
    const rows = new Map((await this.readModel.getAll(runResultsTable, ids)).map((row) => [row.id, row]))
    for (const id of ids) {
      const row = rows.get(id)
      this.place(id, row ? { collectionId: row.collectionId, folderId: null } : null)
      const known = this.known.get(id)
      if (known && row)
        known.what = {
          event: happenedIn(known.what.event, row.createdAt, row.createdBy),
          hasFailed: outcome.parse(JSON.parse(row.body)).summary.failed > 0
        }
    }
  }

  protected entry(id: string, { event, hasFailed }: Shared, place: Location): RecordNews {
    const { position, at, actorId } = event
    const target = { kind: 'runResult', id } as const
    return { newest: position, all: [{ is: 'runShared', position, at, actorId, target, place, hasFailed }] }
  }
}
