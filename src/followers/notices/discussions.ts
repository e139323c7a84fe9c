import { z } from 'zod'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { kinds } from '../../../commands/records/kinds.js'
import { runResultsTable } from '../../../commands/records/runResult/table.js'
import { discussedBy } from '../../../commands/talk/comment/decide.js'
import type { Discussed } from '../../../commands/talk/comment/events.js'
import { commentsTable } from '../../../commands/talk/comment/table.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS, slices } from '../../limits.js'
import type { Row } from '../../storage/storage.js'
import type { Location, NewsEvent, RecordNews, TakingPart } from './news.js'
import { happenedIn, RecentRecords, ROWS_AT_ONCE } from './records.js'

type CommentRow = Row<typeof commentsTable.columns>

/** Who takes part in the discussion of one thing: in all of its threads, and in each. */
interface Parts {
  readonly all: Map<string, string>
  readonly threads: Map<string, Map<string, string>>
}

/** A comment on the board, with its row once that was looked up. */
interface Said {
  readonly event: NewsEvent
  readonly row?: CommentRow
}

const keyOf = ({ kind, id }: Discussed) => `${kind}-${id}`
const NOBODY: TakingPart = new Map()
const ids = z.string().transform((text) => text.split(' ').filter((id) => id !== ''))
const mentionedIn = ({ mentions }: CommentRow) => ids.parse(mentions)

/** Comments that were written. */
export class Discussions extends RecentRecords<Said> {
  /** By what is discussed. */
  readonly #parts = new Map<string, Parts>()

  add(event: NewsEvent): void {
    this.putLast(event.id, { event })
  }

  /** What is discussed may be gone with its row. */
  touch(kind: string, id: string): void {
    if (kind === 'comment') this.touchOne(id)
    const target = kind === 'runresult' ? `runResult-${id}` : `${kind}-${id}`
    if (!this.#parts.has(target)) return
    for (const [commentId, { what }] of this.known)
      if (what.row && keyOf(discussedBy(what.row)) === target) this.touchOne(commentId)
  }

  protected async lookUp(wanted: readonly string[]): Promise<void> {
    const rows = await this.readModel.getAll(commentsTable, wanted, { body: false })
    const places = await this.#places(rows.map(discussedBy))
    const there = new Map(rows.map((row) => [row.id, row]))
    for (const id of wanted) {
      const row = there.get(id)
      const known = this.known.get(id)
      if (known && row) known.what = { event: happenedIn(known.what.event, row.createdAt, row.authorId), row }
      this.place(id, row && !row.isTombstoned ? (places.get(keyOf(discussedBy(row))) ?? null) : null)
    }
    await this.#takeParts(rows)
  }

  /** Where these things are, those that are there. */
  async #places(targets: readonly Discussed[]): Promise<ReadonlyMap<string, Location>> {
    const places = new Map<string, Location>()
    for (const kind of ['request', 'folder', 'collection', 'runResult'] as const) {
      const table = kind === 'runResult' ? runResultsTable : kinds[kind].table
      const wanted = [...new Set(targets.filter((one) => one.kind === kind).map(({ id }) => id))]
      for (const some of slices(wanted, ROWS_AT_ONCE)) {
        for (const row of await this.readModel.getAll(table, some, { body: false }))
          places.set(keyOf({ kind, id: row.id }), placeOf(kind, row))
      }
    }
    return places
  }

  /** Who takes part is read where a thing is seen for the first time; afterwards each comment adds to it. */
  async #takeParts(rows: readonly CommentRow[]): Promise<void> {
    for (const row of rows) {
      const target = discussedBy(row)
      const key = keyOf(target)
      const known = this.#parts.get(key)
      if (known) takePart(known, row)
      else {
        const parts: Parts = { all: new Map(), threads: new Map() }
        const under = [target.kind, target.id]
        const newest = { body: false, reverse: true, limit: LIMITS.threadComments.max }
        for (const one of await this.readModel.list(commentsTable, 'byTarget', under, newest)) takePart(parts, one)
        this.#parts.set(key, parts)
        await giveWay()
      }
    }
    if (this.#parts.size > LIMITS.noticed.max) this.#forgetOthers()
  }

  #forgetOthers(): void {
    const used = new Set([...this.known.values()].flatMap(({ what }) => (what.row ? keyOf(discussedBy(what.row)) : [])))
    for (const key of this.#parts.keys()) if (!used.has(key)) this.#parts.delete(key)
  }

  protected entry(commentId: string, { event, row }: Said, place: Location): RecordNews {
    const { position, at, actorId } = event
    if (!row) return { newest: position, all: [] }
    const { rootId } = row
    const target = discussedBy(row)
    const parts = this.#parts.get(keyOf(target))
    const taking = { inThread: parts?.threads.get(rootId) ?? NOBODY, inDiscussion: parts?.all ?? NOBODY }
    const mentions = new Set(mentionedIn(row))
    const happened = { position, at, actorId, target, place, commentId, rootId, mentions }
    return { newest: position, all: [{ is: 'commented', ...happened, ...taking }] }
  }
}

const run = z.object({ collectionId: z.string().nullable() })

function placeOf(kind: Discussed['kind'], row: Row): Location {
  if (kind === 'collection') return { collectionId: row.id, folderId: null }
  if (kind === 'runResult') return { collectionId: null, folderId: null, ranIn: run.parse(row).collectionId }
  const { collectionId, inside } = itemPositionOf(row)
  return { collectionId, folderId: kind === 'folder' ? row.id : inside }
}

/** Who takes part in a discussion by this comment: its author and those whom it mentions. */
export function takingPart(row: CommentRow): readonly string[] {
  return [...(row.authorId === null ? [] : [row.authorId]), ...mentionedIn(row)]
}

/** They take part from then on, if they did not before. */
function takePart({ all, threads }: Parts, row: CommentRow): void {
  const { rootId, createdAt } = row
  const thread = threads.get(rootId) ?? new Map<string, string>()
  threads.set(rootId, thread)
  for (const id of takingPart(row)) {
    for (const since of [all, thread]) {
      const first = since.get(id)
      if (first === undefined || createdAt < first) since.set(id, createdAt)
    }
  }
}
