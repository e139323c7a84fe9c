import { isMember, kinds, MEMBERS, type Member } from '../../../commands/records/kinds.js'
import { tombstonesTable } from '../../../commands/records/undelete/table.js'
import { contentsOf, membersIn } from '../../../queries/tombstones.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import type { HistorySource } from './past.js'
import { tombstonesFrom } from './tree.js'

/** A record that a collection has, or had. */
export interface PastMember {
  readonly kind: Member
  readonly id: string
  readonly stream: string
  /** Nothing happened to it in the collection, up to the position that was asked for, after this one. */
  readonly last: number
  /** True where it is in the collection now. */
  readonly isHere: boolean
  /** The position at which it went with the folder or the collection that it was in, where it left so. */
  readonly takenAt: number | null
  /** What it was called when it was deleted; null where it is there, or where that is not known without its content. */
  readonly name: string | null
}

type View = HistorySource['readModel']

/**
 * Every record that a collection has or had, in the order of `last` from the highest on; one that came back is told again as what
 * it was before. The rows of today say when they were touched last, and what is no longer there is found by the deletions and
 * moves that it left by, from the newest on: these are read as far as they are asked for. Of what has left, the last so many are
 * known, up to a bound.
 */
export async function* pastMembers(
  readModel: View,
  collectionId: string,
  through: number
): AsyncGenerator<PastMember, void> {
  const here = await present(readModel, collectionId, through)
  // After the rows, so that nothing can leave in between unseen.
  const gone = departed(readModel, collectionId, through)
  let next = await gone.next()
  for (const one of here) {
    for (; !next.done && next.value.last > one.last; next = await gone.next()) yield next.value
    yield one
  }
  if (!next.done) yield next.value
  yield* gone
}

async function present(readModel: View, collectionId: string, through: number): Promise<readonly PastMember[]> {
  const found: PastMember[] = []
  for (const kind of MEMBERS) {
    for (const { id, revision } of await readModel.outline(kinds[kind].table, 'byCollection', [collectionId])) {
      // Reorders and accounts that are gone may have touched it later than its own events did, and never earlier.
      const last = Math.min(revision, through)
      found.push({ kind, id, stream: `${kind}-${id}`, last, isHere: true, takenAt: null, name: null })
    }
    await giveWay()
  }
  return found.sort((a, b) => b.last - a.last)
}

async function* departed(readModel: View, collectionId: string, through: number): AsyncGenerator<PastMember, void> {
  let left: number = LIMITS.activityTombstones.max
  for await (const row of tombstonesFrom(readModel, collectionId)) {
    const { kind, subject: id, position } = row
    const last = Math.min(position, through)
    const gone = (kind: Member, id: string) => ({ kind, id, stream: `${kind}-${id}`, last, isHere: false })
    if (isMember(kind)) {
      // What is elsewhere may have got its name there in the very change that took it away.
      yield { ...gone(kind, id), takenAt: null, name: row.state === 'moved' ? null : row.name }
      left--
    }
    for (const member of membersIn(contentsOf(row))) {
      if (left-- <= 0) return
      // A folder has a deletion of its own, right before that of the folder around it, which tells its name.
      if (member.kind === 'folder' && kind === 'folder') continue
      yield { ...gone(member.kind, member.id), takenAt: position, name: null }
      await giveWay()
    }
    if (left <= 0) return
  }
}

/**
 * Tells of the events of a record whether it was in a collection then. What has taken a request or a document to another collection
 * concerns both.
 */
export async function presence(
  readModel: View,
  collectionId: string,
  { kind, id, isHere, takenAt }: PastMember
): Promise<(header: EventHeader) => boolean> {
  // A folder never leaves its collection but by being deleted.
  if (kind === 'folder') return () => true
  const rows = await readModel.list(tombstonesTable, 'bySubject', [id], { body: false })
  const left = rows.filter((row) => row.kind === kind)
  const isThereAt = (moment: number) => {
    const next = left.find(({ position }) => position >= moment)
    return next ? next.collectionId === collectionId : isHere || (takenAt ?? 0) >= moment
  }
  const hasLeftAt = (moment: number) => left.some(({ position }) => position === moment)
  return ({ position }) => isThereAt(position) || (hasLeftAt(position) && isThereAt(position + 1))
}
