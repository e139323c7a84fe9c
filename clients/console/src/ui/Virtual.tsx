import { signal } from '@preact/signals'
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

interface VirtualProps<T> extends Omit<HTMLAttributes<HTMLDivElement>, 'children' | 'ref'> {
  readonly items: readonly T[]
  /** How high a row is, in pixels; rows of other heights are measured where `isMeasured`. */
  readonly rowHeight: number
  readonly isMeasured?: boolean
  /** How high the list is at most, in pixels, which is otherwise as high as its rows. */
  readonly most_px?: number
  /** Whether the rows scroll with the page, in place of a list of their own height. */
  readonly isOfPage?: boolean
  /** The row to bring into sight when it is another one. */
  readonly reveal?: number
  /** What tells a row from others where rows come and go: by default its place. */
  readonly keyOf?: (item: T) => string | number
  /** What to do when the reader comes near the end. */
  readonly atEnd?: (() => void) | undefined
  readonly children: (item: T, index: number) => ComponentChildren
}

/** So many rows are there beside those that can be seen. */
const BESIDE = 8

const isPrinted = signal(false)
for (const when of ['beforeprint', 'afterprint'])
  addEventListener(when, () => {
    isPrinted.value = when === 'beforeprint'
  })

/** Rows of which only those are there that can be seen: ten thousand scroll as ten do. On paper all are. */
export function Virtual<T>(props: VirtualProps<T>) {
  const { items, rowHeight, isMeasured, most_px, isOfPage, reveal, keyOf, atEnd, children, ...rest } = props
  const count = items.length
  const height = most_px === undefined ? '' : { height: `${Math.min(count * rowHeight, most_px)}px` }
  const place = useRef<HTMLDivElement>(null)
  const [above, setAbove] = useState(0)
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0)
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement>>(null)
  const options = {
    count,
    getScrollElement: () => (isOfPage ? (place.current?.closest('main') ?? null) : place.current),
    estimateSize: () => rowHeight,
    scrollMargin: above,
    overscan: BESIDE,
    ...(keyOf && { getItemKey: (index: number) => (index in items ? keyOf(items[index] as T) : index) }),
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
    if (isOfPage && own && page)
      setAbove(Math.round(own.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop))
  })
  useEffect(() => {
    if (reveal !== undefined && reveal >= 0) rows.scrollToIndex(reveal, { align: 'auto' })
  }, [rows, reveal])
  const seen = rows.getVirtualItems()
  const last = seen.at(-1)?.index ?? -1
  useEffect(() => {
    if (count > 0 && last >= count - BESIDE) atEnd?.()
  }, [last, count, atEnd])
  if (isPrinted.value)
    return (
      <div ref={place} style={height} {...rest}>
        {items.map(children)}
      </div>
    )
  return (
    <div ref={place} style={height} {...rest}>
      <div role="presentation" style={{ height: `${rows.getTotalSize()}px`, position: 'relative' }}>
        {seen.map(({ key, index, start }) => (
          <div
            key={key}
            role="presentation"
            data-index={index}
            ref={isMeasured ? (element) => rows.measureElement(element) : null}
            style={{ position: 'absolute', inset: '0 0 auto', transform: `translateY(${start - above}px)` }}
          >
            {index in items && children(items[index] as T, index)}
          </div>
        ))}
      </div>
    </div>
  )
}
