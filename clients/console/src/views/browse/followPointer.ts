/** Where a pointer is, in the window. */
export interface Point {
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
export function followPointer(list: HTMLElement, start: PointerEvent, { move, end }: Following): () => void {
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
