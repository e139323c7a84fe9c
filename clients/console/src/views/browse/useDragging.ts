import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { unfold } from '../../app/unfolded.js'
import { type Drop, dropOver } from '../../model/moving.js'
import { type Moving, moveTo, movingOf, outlineAround } from './moves.js'
import type { TreeLine } from './TreeRow.js'

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

/** Where a pointer is, in the window. */
interface Point {
  readonly clientX: number
  readonly clientY: number
}

interface Following {
  /** Called for each place of the pointer, and again while the list scrolls below it. */
  move(point: Point): void
  end(isDropped: boolean): void
}

/** So far a pointer goes before it drags: who only clicks trembles less. */
const START_PX = 5
/** So near an edge the list scrolls by itself, at most so fast. */
const EDGE_PX = 36
const SPEED_PX = 12

/** Follows a pointer that is held down, from when it drags until it is let go; Escape ends it. Gives what gives it up. */
function followPointer(list: HTMLElement, start: PointerEvent, { move, end }: Following): () => void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true }
  let point: Point = start
  let isDragging = false
  let frame = 0

  const scroll = () => {
    const { top, bottom } = list.getBoundingClientRect()
    const past = Math.min(point.clientY - top - EDGE_PX, 0) + Math.max(point.clientY - bottom + EDGE_PX, 0)
    const before = list.scrollTop
    list.scrollTop += Math.max(-SPEED_PX, Math.min(SPEED_PX, past / 3))
    if (list.scrollTop !== before) move(point)
    frame = requestAnimationFrame(scroll)
  }
  const stop = (isDropped: boolean) => {
    listening.abort()
    cancelAnimationFrame(frame)
    if (!isDragging) return
    isDragging = false
    end(isDropped)
  }
  const onMove = (event: PointerEvent) => {
    point = event
    if (!isDragging) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < START_PX) return
      isDragging = true
      frame = requestAnimationFrame(scroll)
    }
    move(point)
  }
  const onUp = () => {
    if (isDragging) ignoreClick()
    stop(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isDragging) return
    event.preventDefault()
    event.stopPropagation()
    ignoreClick()
    stop(false)
  }
  addEventListener('pointermove', onMove, options)
  addEventListener('pointerup', onUp, options)
  addEventListener('pointercancel', () => stop(false), options)
  addEventListener('keydown', onKeyDown, options)
  return () => stop(false)
}

/** Letting go of what was dragged is no click on what lies below. */
function ignoreClick(): void {
  const ignore = (event: Event) => event.stopPropagation()
  addEventListener('click', ignore, { capture: true, once: true })
  addEventListener('pointerdown', () => removeEventListener('click', ignore, { capture: true }), { once: true })
}
