import { useEffect, useState } from 'preact/hooks'
import { unfold } from '../../app/unfolded.js'
import { type Drop, dropOver } from '../../model/moving.js'
import { type Moving, moveTo, movingOf, outlineAround } from './moves.js'
import type { TreeLine } from './TreeRow.js'

/** What is being dragged, and what dropping it now would do. */
interface Dragged {
  readonly line: TreeLine
  readonly moving: Moving
  readonly drop: Drop | null
}

/** A closed folder opens when something is held over it for so long. */
const LINGER_MS = 600
/** What is carried, so that nothing but a tree takes it. */
const CARRIED = 'application/x-hub-record'

/** Dragging the records of a tree to another place of their collection. The browser carries them, scrolls, and ends it by Escape. */
export function useDragging(lines: readonly TreeLine[], rowPx: number) {
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const over = dragged?.drop?.mark.id
  useEffect(() => {
    if (over === undefined || lines.find(({ id }) => id === over)?.isOpen !== false) return
    const timer = setTimeout(() => unfold([over]), LINGER_MS)
    return () => clearTimeout(timer)
  }, [over])

  const lineAt = ({ currentTarget, clientY }: DragEvent) => {
    if (!(currentTarget instanceof HTMLElement)) return undefined
    const at = (clientY - currentTarget.getBoundingClientRect().top + currentTarget.scrollTop) / rowPx
    const line = lines[Math.floor(at)]
    return line && { line, part: at % 1 }
  }
  const onDragStart = (event: DragEvent) => {
    const line = lineAt(event)?.line
    const moving = movingOf(line?.ref ?? null)
    if (!line || !moving) return event.preventDefault()
    event.dataTransfer?.setData(CARRIED, line.id)
    setDragged({ line, moving, drop: null })
    // Told to the row itself, which may have left the tree by then: some browsers tell nobody else, and the pointer moves without a button
    // next. With it Firefox and WebKit tell of one more move.
    const ending = new AbortController()
    const end = () => {
      ending.abort()
      setDragged(null)
    }
    event.target?.addEventListener('dragend', end, ending)
    addEventListener('pointermove', ({ buttons }) => buttons === 0 && end(), ending)
  }
  const onDragOver = (event: DragEvent) => {
    if (!dragged) return
    const drop = dropAt(lineAt(event), dragged.moving)
    if (drop) event.preventDefault()
    if (!isSameDrop(drop, dragged.drop)) setDragged({ ...dragged, drop })
  }
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    const isInside =
      currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
    if (dragged && !isInside) setDragged({ ...dragged, drop: null })
  }
  const onDrop = (event: DragEvent) => {
    if (!dragged) return
    event.preventDefault()
    const drop = dropAt(lineAt(event), dragged.moving)
    setDragged(null)
    if (drop) void moveTo(dragged.moving, drop.to)
  }
  return { dragged, dragging: { onDragStart, onDragEnter: onDragOver, onDragOver, onDragLeave, onDrop } }
}

/** What dropping something over a line does; null where it cannot go there. */
function dropAt(over: { readonly line: TreeLine; readonly part: number } | undefined, moving: Moving): Drop | null {
  const outline = outlineAround(moving)
  const { collectionId, id } = moving
  if (!over || !outline || collectionOf(over.line) !== collectionId) return null
  const { line, part } = over
  return dropOver(outline, collectionId, id, {
    ...{ id: line.ref ? line.id : collectionId, isOpen: line.isOpen ?? false, part }
  })
}

const isSameDrop = (a: Drop | null, b: Drop | null) =>
  a?.mark.id === b?.mark.id && a?.mark.kind === b?.mark.kind && a?.to.index === b?.to.index

/** The collection that a line belongs to; one that only says something belongs to the collection above it. */
function collectionOf({ ref, id }: TreeLine): string | null {
  if (!ref) return id.replace('about-', '')
  return ref.kind === 'collection' ? ref.id : (ref.collectionId ?? null)
}
