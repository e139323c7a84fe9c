import { moved, type Position } from '../model/moving.js'
import type { Outline } from '../model/outline.js'
import { whenLeaving } from './session.js'

/** A move that is shown already. */
interface Move {
  readonly id: string
  readonly to: Position
  isDone: boolean
}

/** Moves that an answer of the hub may not know of yet, by collection, in their order. */
const underWay = new Map<string, readonly Move[]>()
const movesIn = (collectionId: string) => underWay.get(collectionId) ?? []

/** Notes a move that the hub is asked for, until it has happened or was refused. */
export function begin(collectionId: string, id: string, to: Position) {
  const move: Move = { id, to, isDone: false }
  underWay.set(collectionId, [...movesIn(collectionId), move])
  const refused = () => forget(collectionId, [move])
  const done = () => {
    move.isDone = true
  }
  return { done, refused }
}

/** To be called before the hub is asked for an outline: gives what adds the moves to the answer that it cannot know of. */
export function asking(collectionId: string): (answer: Outline) => Outline {
  const known = movesIn(collectionId).filter(({ isDone }) => isDone)
  return (answer) => {
    forget(collectionId, known)
    return movesIn(collectionId).reduce((outline, { id, to }) => moved(outline, id, to), answer)
  }
}

function forget(collectionId: string, moves: readonly Move[]): void {
  underWay.set(
    collectionId,
    movesIn(collectionId).filter((move) => !moves.includes(move))
  )
}

whenLeaving(() => underWay.clear())
