import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { unfold } from '../../app/unfolded.js'
import { type Drop, dropOver } from '../../model/dropping.js'
import { followPointer, type Point } from './followPointer.js'
import type { TreeLine } from './lines.js'
import { type Moving, moveTo, movingOf, outlineAround } from './moves.js'

/** What is being dragged, and what dropping it now would do. */
interface Dragged {
  readonly line: TreeLine
  readonly drop: Drop | null
}

/** A closed folder opens when something is held over it for so long. */
const LINGER_MS = 600

/** Dragging the records of a tree with the pointer to another place of their collection. */
export function useDragging(linesNow: readonly TreeLine[], rowPx: number) {
  const lines = useRef(linesNow)
  lines.current = linesNow
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const point = useRef<Point>({ clientX: 0, clientY: 0 })
  const cancel = useRef<(() => void) | null>(null)
  useEffect(() => () => cancel.current?.(), [])
  const placeGhost = () => {
    const { clientX, clientY } = point.current
    if (ghost.current) ghost.current.style.transform = `translate(${clientX}px, ${clientY}px)`
  }
  useLayoutEffect(placeGhost, [dragged])

  const onPointerDown = (event: PointerEvent) => {
    const list = event.currentTarget
    if (event.button !== 0 || event.pointerType === 'touch' || !(list instanceof HTMLElement)) return
    const line = lineAt(list, event)?.line
    const moving = movingOf(line?.ref ?? null)
    if (line && moving) cancel.current = drag(list, event, line, moving)
  }

  const lineAt = (list: HTMLElement, { clientY }: Point) => {
    const at = (clientY - list.getBoundingClientRect().top + list.scrollTop) / rowPx
    const line = lines.current[Math.floor(at)]
    return line && { line, part: at % 1 }
  }

  const drag = (list: HTMLElement, start: PointerEvent, line: TreeLine, moving: Moving) => {
    let drop: Drop | null = null
    let lingering: { readonly id: string; readonly timer: ReturnType<typeof setTimeout> } | null = null
    const linger = (over: TreeLine | undefined) => {
      const id = over?.isOpen === false && drop?.mark.id === over.id ? over.id : null
      if (lingering?.id === id) return
      if (lingering) clearTimeout(lingering.timer)
      lingering = id === null ? null : { id, timer: setTimeout(() => unfold([id]), LINGER_MS) }
    }
    return followPointer(list, start, {
      move(now) {
        point.current = now
        const over = lineAt(list, now)
        const outline = outlineAround(moving)
        const isInside = collectionOf(over?.line) === moving.collectionId
        drop =
          over && outline && isInside
            ? dropOver(outline, moving.collectionId, moving.id, {
                id: over.line.ref ? over.line.id : moving.collectionId,
                isOpen: over.line.isOpen ?? false,
                part: over.part
              })
            : null
        linger(over?.line)
        setDragged((before) => (before && isSameDrop(before.drop, drop) ? before : { line, drop }))
        placeGhost()
      },
      end(isDropped) {
        if (lingering) clearTimeout(lingering.timer)
        setDragged(null)
        if (isDropped && drop) void moveTo(moving, drop.to)
      }
    })
  }
  return { dragged, ghost, onPointerDown }
}

const isSameDrop = (a: Drop | null, b: Drop | null) =>
  a?.mark.id === b?.mark.id && a?.mark.kind === b?.mark.kind && a?.to.index === b?.to.index

/** The collection that a line belongs to; one that only says something belongs to the collection above it. */
function collectionOf(line: TreeLine | undefined): string | null {
  if (!line) return null
  if (!line.ref) return line.id.replace('about-', '')
  return line.ref.kind === 'collection' ? line.ref.id : (line.ref.collectionId ?? null)
}
