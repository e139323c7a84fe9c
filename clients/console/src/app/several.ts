import { siblingsOf } from '../model/moving.js'
import { heldIn, type Member, type Outline } from '../model/outline.js'
import { isMember, type MemberKind } from '../model/records.js'
import type { ChosenRecord } from './chosen.js'
import { type Failure, failureOf } from './hub.js'
import { knownOf } from './loaded.js'
import { moveMember, outlineOfCollection } from './members.js'
import { type Container, deleteUnseen, isItem, loadRecord, moveAcross, undelete } from './records.js'

/** What came of doing something with several records: with which it was done, and what the hub says against the others. */
export interface Outcome {
  readonly done: readonly ChosenRecord[]
  readonly refused: readonly Refused[]
}

interface Refused {
  readonly record: ChosenRecord
  readonly why: string
}

/** Does something with one after another, and goes on where the hub refuses one; where it does not answer, none is tried any more. */
async function each(records: readonly ChosenRecord[], act: (one: ChosenRecord) => Promise<Failure | null>) {
  const done: ChosenRecord[] = []
  const refused: Refused[] = []
  let away: Failure | null = null
  for (const record of records) {
    const failure: Failure | null = away ?? (await act(record).catch(failureOf))
    if (failure?.status === 0) away = failure
    if (failure) refused.push({ record, why: failure.message })
    else done.push(record)
  }
  return { done, refused }
}

/** Those of some records that are in no other one of them: what a folder or a collection holds goes with it. */
export function outermost(records: readonly ChosenRecord[]): readonly ChosenRecord[] {
  const held = new Set(records.flatMap(membersOf).map(({ id }) => id))
  return records.filter(({ id }) => !held.has(id))
}

function membersOf({ kind, id, collectionId }: ChosenRecord): readonly Member[] {
  if (kind !== 'folder' && kind !== 'collection') return []
  const outline = knownOutline(kind === 'collection' ? id : collectionId)
  return outline ? heldIn(outline, kind === 'folder' ? id : null) : []
}

/** How many records of each kind go with them. */
export function heldTogether(records: readonly ChosenRecord[]): Readonly<Record<MemberKind, number>> {
  const counts = { folder: 0, request: 0, document: 0 }
  for (const { kind } of records.flatMap(membersOf)) counts[kind]++
  return counts
}

const knownOutline = (collectionId: string | null | undefined): Outline | undefined =>
  collectionId ? knownOf(outlineOfCollection(collectionId)) : undefined

/** Deletes them with all that they hold. */
export const deleteSeveral = (records: readonly ChosenRecord[]): Promise<Outcome> =>
  each(records, async (one) => {
    await deleteUnseen(one)
    return null
  })

/** Brings them back, the last one first. */
export const undeleteSeveral = (records: readonly ChosenRecord[]): Promise<Outcome> =>
  each(records.toReversed(), async (one) => {
    await undelete(one)
    return null
  })

/** Moves members, of which none is in another one, behind all others of a folder, in their order. */
export const moveSeveral = (records: readonly ChosenRecord[], to: Container): Promise<Outcome> =>
  each(records, (one) => (one.collectionId === to.collectionId ? moveWithin(one, to) : moveAway(one, to)))

async function moveWithin({ kind, id }: ChosenRecord, { collectionId, folderId }: Container): Promise<Failure | null> {
  const outline = knownOutline(collectionId)
  const member = outline?.members.get(id)
  if (!outline || !member || !isMember(kind)) return null
  const index = siblingsOf(outline, folderId, member).length
  return moveMember(collectionId, { kind, id }, { parentId: folderId, index })
}

async function moveAway(record: ChosenRecord, to: Container): Promise<Failure | null> {
  const loaded = await loadRecord(record, new AbortController().signal)
  if (isItem(loaded) || loaded.kind === 'folder') await moveAcross(loaded, to)
  return null
}
