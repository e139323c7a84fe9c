import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'

interface VirtualProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'ref'> {
  readonly count: number
  /** How high a row is, in pixels; rows of other heights are measured where `isMeasured`. */
  readonly rowHeight: number
  readonly isMeasured?: boolean
  /** The row to bring into sight when it is another one. */
  readonly reveal?: number
  /** What tells a row from others where rows come and go: by default its place. */
  readonly keyOf?: (index: number) => string
  /** What to do when the reader comes near the end. */
  readonly atEnd?: () => void
  readonly children: (index: number) => ComponentChildren
}

/** A list of which only what can be seen is there: ten thousand rows scroll as ten do. */
export function Virtual({ count, rowHeight, isMeasured, reveal, keyOf, atEnd, children, ...rest }: VirtualProps) {
  const place = useRef<HTMLDivElement>(null)
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0)
  const kept = useRef<Virtualizer<HTMLDivElement, HTMLDivElement>>(null)
  const options = {
    count,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    ...(keyOf && { getItemKey: keyOf }),
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(0)
  }
  kept.current ??= new Virtualizer<HTMLDivElement, HTMLDivElement>(options)
  const rows = kept.current
  rows.setOptions({ ...rows.options, ...options })
  useEffect(() => rows._didMount(), [rows])
  useLayoutEffect(() => rows._willUpdate())
  useEffect(() => {
    if (reveal !== undefined && reveal >= 0) rows.scrollToIndex(reveal, { align: 'auto' })
  }, [rows, reveal])
  const seen = rows.getVirtualItems()
  const last = seen.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= count - 8) atEnd?.()
  }, [last, count, atEnd])
  return (
    <div ref={place} {...rest}>
      <div role="presentation" style={{ height: `${rows.getTotalSize()}px`, position: 'relative' }}>
        {seen.map(({ key, index, start }) => (
          <div
            key={key}
            role="presentation"
            data-index={index}
            ref={isMeasured ? (element) => rows.measureElement(element) : null}
            style={{ position: 'absolute', inset: '0 0 auto', transform: `translateY(${start}px)` }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
