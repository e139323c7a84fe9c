import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Brings an element into sight whenever `shown` is another: on a narrow screen what leads to it stands far below. */
export function useInSight(shown: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [shown])
  return place
}
