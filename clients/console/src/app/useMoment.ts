import { useEffect, useRef } from 'preact/hooks'
import { type Loadable, useLoadable } from './loaded.js'

/** What `load` brings for a moment. What was there for the moment before stays until the new one has come. */
export function useMoment<T>(
  load: (at: string, signal: AbortSignal) => Promise<T>,
  id: string,
  at: string
): Loadable<T> {
  const wanted = useRef(at)
  const shown = useLoadable((signal) => load(wanted.current, signal), [id])
  useEffect(() => {
    if (wanted.current === at) return
    wanted.current = at
    void shown.reload()
  }, [shown, at])
  return shown
}
