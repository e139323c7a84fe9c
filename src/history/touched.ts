import { isMember, kinds, MEMBERS, type Member } from '../../commands/kinds.js'
import { contentsOf, membersIn } from '../../queries/tombstones.js'
import { LIMITS } from '../limits.js'
import type { PagedReads } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { departuresFrom } from './tree.js'

/** A record that a collection has, or had. */
export interface Touched {
  readonly kind: Member
  readonly id: string
  /** Nothing happened to it in the collection, up to the position that was asked for, after this one. */
  readonly last: number
  /** True where something did happen to it at that very position. */
  readonly isExact: boolean
  /** True where it is in the collection now. */
  readonly isHere: boolean
  /** The position at which it went with the folder or the collection that it was in, where it left so. */
  readonly takenAt: number | null
  /** What it was called when it was deleted; null where it is there, or where that is not known without its content. */
  readonly name: string | null
}

type View = Pick<PagedReads, 'outline' | 'getPage' | 'listPart'>

/**
 * Every record that a collection has or had, once each, in the order of `last` from the highest on. The rows of today say when
 * they were touched last, and what is no longer there is found by the deletions and moves that it left by, from the newest on:
 * these are read as far as they are asked for. Of what has left, the last so many are known, up to a bound.
 */
export async function* touchedIn(view: View, collectionId: string, through: number): AsyncGenerator<Touched, void> {
  const seen = new Set<string>()
  const here = await present(view, collectionId, through)
  const gone = departed(view, collectionId, through)
  let next = await gone.next()
  const isNew = ({ kind, id }: Touched) => {
    const known = seen.size
    return seen.add(`${kind}-${id}`).size > known
  }
  for (const one of here) {
    for (; !next.done && next.value.last > one.last; next = await gone.next()) if (isNew(next.value)) yield next.value
    if (isNew(one)) yield one
  }
  for (; !next.done; next = await gone.next()) if (isNew(next.value)) yield next.value
}

async function present(view: View, collectionId: string, through: number): Promise<readonly Touched[]> {
  const found: Touched[] = []
  for (const kind of MEMBERS) {
    for (const { id, revision } of await view.outline(kinds[kind].table, 'byCollection', [collectionId])) {
      // Reorders and accounts that are gone may have touched it later than its own events did, and never earlier.
      const last = Math.min(revision, through)
      found.push({ kind, id, last, isExact: false, isHere: true, takenAt: null, name: null })
    }
    await giveWay()
  }
  return found.sort((a, b) => b.last - a.last)
}

async function* departed(view: View, collectionId: string, through: number): AsyncGenerator<Touched, void> {
  let left: number = LIMITS.activityTombstones.max
  for await (const row of departuresFrom(view, collectionId)) {
    const { kind, subject: id, position } = row
    // What is elsewhere may have got its name there in the very change that took it away.
    const name = row.state === 'moved' ? null : row.name
    const last = Math.min(position, through)
    const isExact = position <= through
    if (isMember(kind)) {
      yield { kind, id, last, isExact, isHere: false, takenAt: null, name }
      left--
    }
    for (const member of membersIn(contentsOf(row))) {
      if (left-- <= 0) return
      // A folder has a deletion of its own, right before that of the folder around it, which tells its name.
      if (member.kind === 'folder' && kind === 'folder') continue
      yield { ...member, last, isExact: false, isHere: false, takenAt: position, name: null }
      await giveWay()
    }
    if (left <= 0) return
  }
}
