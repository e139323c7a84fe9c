import { itemPositionOf } from '../../commands/kind.js'
import { isMember, kinds, MEMBERS, type Member, type RestorableKind } from '../../commands/kinds.js'
import type { PlacedRow } from '../../projections/record.js'
import { tombstonesTable } from '../../projections/tombstones.js'
import { contentsOf, membersIn } from '../../queries/tombstones.js'
import { columnsOf, ordered, Places } from '../log/sequence.js'
import type { Row } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { type HistorySource, type Moment, type Past, pastOf, rowAt } from './past.js'
import { positionOf } from './steps.js'

/** A record that a collection held at a moment: its row of today, which has not changed since, or one of the past. No bodies. */
export interface MemberRow {
  readonly row: Row
  readonly past: Past | null
}

/** What a collection held at a moment, in no order. */
export type Members = ReadonlyMap<Member, readonly MemberRow[]>

const DEPARTURES = 500

/**
 * What a collection held at a position, of all kinds or some. What has not changed since is taken from the read tables;
 * everything else, and what has left the collection since, is found by one pass over the log.
 */
export async function membersAt(
  source: HistorySource,
  collectionId: string,
  position: number,
  wanted: readonly Member[] = MEMBERS
): Promise<Members> {
  const { view } = source
  const present = new Map<Member, readonly Row[]>()
  for (const kind of wanted) {
    present.set(kind, await columnsOf(view, kinds[kind].table, 'byCollection', collectionId))
    await giveWay()
  }
  // After the rows, so that nothing can leave in between unseen.
  const left = await leftSince(view, collectionId, position)
  const changed: Moment[] = []
  for (const [kind, rows] of present) {
    const now = rows.filter(({ revision }) => revision > position).map(({ id }) => id)
    const here = new Set(rows.map(({ id }) => id))
    const gone = [...(left.get(kind) ?? [])].filter((id) => !here.has(id))
    for (const id of [...now, ...gone]) changed.push({ kind, id, at: position })
    await giveWay()
  }
  // All at once: the reorders of the collection are gone through one time for everything in it.
  const pasts = await pastOf(source, changed)
  const members = new Map<Member, readonly MemberRow[]>()
  for (const [kind, rows] of present) {
    const same = rows.filter(({ revision }) => revision <= position).map((row) => ({ row, past: null }))
    const then = pasts.flatMap((past) => {
      const { outline: row, gone } = past
      return past.kind === kind && row && !gone && positionOf(kind, row)?.collectionId === collectionId
        ? [{ row, past }]
        : []
    })
    members.set(kind, [...same, ...then])
  }
  return members
}

/** The sequence that the rows of one kind stood in, among the members of their collection. */
export function sequenceAmong(members: Members, kind: Member): Places {
  const spec = kinds[kind].sequence
  const rowsOf = (name: string) => [...members].find(([one]) => kinds[one].table.name === name)?.[1] ?? []
  return new Places(
    spec,
    spec.tables.map(({ name }) => rowsOf(name).map(({ row }) => ordered(row)))
  )
}

/** A record as it was at a position, exactly, and its place then; null where it was not there, or is erased. */
export async function placedAt(
  source: HistorySource,
  kind: RestorableKind,
  id: string,
  position: number
): Promise<PlacedRow | null> {
  const row = await rowAt(source, kind, id, position)
  if (!row || !isMember(kind)) return row && { row, place: null }
  const { collectionId } = itemPositionOf(row)
  const siblings = MEMBERS.filter((one) => kinds[one].sequence === kinds[kind].sequence)
  const members = await membersAt(source, collectionId, position, siblings)
  return { row, place: sequenceAmong(members, kind).placeOf(kinds[kind].table, ordered(row)) }
}

/** The ids of what has been in a collection and left it after a position. */
async function leftSince(view: HistorySource['view'], collectionId: string, position: number) {
  const left = new Map<Member, Set<string>>()
  const add = (kind: Member, id: string) => left.set(kind, (left.get(kind) ?? new Set()).add(id))
  const since = await tombstonesSince(view, collectionId, position)
  for (let rest = since; rest.length > 0; ) {
    const page = await view.getPage(tombstonesTable, rest.slice(0, DEPARTURES))
    const last = page.at(-1)?.id
    for (const row of page) {
      for (const { kind, id } of membersIn(contentsOf(row))) add(kind, id)
      if (isMember(row.kind)) add(row.kind, row.subject)
      await giveWay()
    }
    rest = rest.slice(last === undefined ? DEPARTURES : rest.indexOf(last) + 1)
  }
  return left
}

/** The ids of the newest tombstones, as many as reach back to the position. */
async function tombstonesSince(
  view: HistorySource['view'],
  collectionId: string,
  position: number
): Promise<readonly string[]> {
  for (let limit = DEPARTURES; ; limit *= 4) {
    const options = { reverse: true, limit, body: false }
    const rows = await view.list(tombstonesTable, 'byCollection', [collectionId], options)
    const since = rows.filter((row) => row.position > position)
    if (since.length < rows.length || rows.length < limit) return since.map(({ id }) => id)
  }
}
