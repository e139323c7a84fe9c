import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

interface PageRowsProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'ref'> {
  readonly count: number
  /** About how high a row is, in pixels: each is measured when it is there. */
  readonly rowHeight: number
  /** What a row is known by, wherever it stands. */
  readonly keyOf: (index: number) => string | number
  /** What to do when the reader comes near the end. */
  readonly atEnd?: (() => void) | undefined
  readonly children: (index: number) => ComponentChildren
}

/** Rows of any height that scroll with the page, of which only those are there that can be seen. */
export function PageRows({ count, rowHeight, keyOf, atEnd, children, ...rest }: PageRowsProps) {
  const place = useRef<HTMLDivElement>(null)
  const [above, setAbove] = useState(0)
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0)
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement>>(null)
  const options = {
    count,
    getScrollElement: () => place.current?.closest('main') ?? null,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    scrollMargin: above,
    overscan: 6,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(0)
  }
  kept.current ??= new Virtualizer<HTMLElement, HTMLElement>(options)
  const rows = kept.current
  rows.setOptions({ ...rows.options, ...options })
  useEffect(() => rows._didMount(), [rows])
  useLayoutEffect(() => {
    rows._willUpdate()
    const [own, page] = [place.current, rows.options.getScrollElement()]
    if (own && page)
      setAbove(Math.round(own.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop))
  })
  const seen = rows.getVirtualItems()
  const last = seen.at(-1)?.index ?? -1
  useEffect(() => {
    if (count > 0 && last >= count - 6) atEnd?.()
  }, [last, count, atEnd])
  return (
    <div ref={place} {...rest}>
      <div role="presentation" style={{ height: `${rows.getTotalSize()}px`, position: 'relative' }}>
        {seen.map(({ key, index, start }) => (
          <div
            key={key}
            role="presentation"
            data-index={index}
            ref={(element) => rows.measureElement(element)}
            style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${start - above}px)` }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
