import { signal } from '@preact/signals'
import { nameIn } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { moveMember, outlineOfCollection } from '../../app/members.js'
import { mayChange } from '../../app/records.js'
import { unfold } from '../../app/unfolded.js'
import { type Position, positionOf, type Step, siblingsOf, stepFrom } from '../../model/moving.js'
import { count } from '../../model/numbers.js'
import type { Outline } from '../../model/outline.js'
import { isMember, type MemberKind, type RecordRef } from '../../model/records.js'
import { toast } from '../../ui/kit.js'

/** What the last move came to, for who does not see it. */
export const said = signal('')

const NOWHERE: Readonly<Record<Step, string>> = {
  up: 'It is the first one already.',
  down: 'It is the last one already.',
  in: 'There is no folder above it.',
  out: 'It is in no folder.'
}

/** A member of a collection that somebody moves. */
export interface Moving {
  readonly kind: MemberKind
  readonly id: string
  readonly collectionId: string
}

/** A record as something that moves; null where it stands by itself, or is not the reader's to move. */
export function movingOf(ref: RecordRef | null): Moving | null {
  if (!ref?.collectionId || !isMember(ref.kind) || !mayChange(ref)) return null
  return { kind: ref.kind, id: ref.id, collectionId: ref.collectionId }
}

/** The outline that it is part of, once that is known. */
export function outlineAround({ collectionId }: Moving): Outline | null {
  return knownOf(outlineOfCollection(collectionId)) ?? null
}

/** Moves the record of a line by one step, and says where it is then. */
export async function moveByStep({ ref }: { readonly ref: RecordRef | null }, step: Step): Promise<void> {
  const moving = movingOf(ref)
  const outline = moving && outlineAround(moving)
  if (!outline) return
  const to = stepFrom(outline, moving.id, step)
  if (!to) {
    said.value = NOWHERE[step]
    return
  }
  const moved = carryOut(moving, to)
  said.value = whereItIs(moving)
  await moved
}

/** Moves a record to a place, and offers to take that back. */
export async function moveTo(moving: Moving, to: Position): Promise<void> {
  const outline = outlineAround(moving)
  const from = outline && positionOf(outline, moving.id)
  if (!from || (from.parentId === to.parentId && from.index === to.index)) return
  const moved = carryOut(moving, to)
  const where = whereItIs(moving)
  if (await moved) toast(where, { label: 'Undo', act: () => void carryOut(moving, from) })
}

async function carryOut(moving: Moving, to: Position): Promise<boolean> {
  unfold([moving.collectionId, ...(to.parentId === null ? [] : [to.parentId])])
  const failure = await moveMember(moving.collectionId, moving, to)
  if (failure) toast(`It is back where it was: ${failure.message}`)
  return !failure
}

function whereItIs(moving: Moving): string {
  const outline = outlineAround(moving)
  const [member, place] = [outline?.members.get(moving.id), outline && positionOf(outline, moving.id)]
  if (!outline || !member || !place) return ''
  const { collectionId } = moving
  const folder =
    place.parentId === null
      ? (nameIn('collection', collectionId) ?? 'the collection')
      : outline.members.get(place.parentId)?.name
  const all = siblingsOf(outline, place.parentId, member).length + 1
  return `“${member.name}” is ${count(place.index + 1)} of ${count(all)} in “${folder}”.`
}
