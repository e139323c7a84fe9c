import { useEffect, useRef } from 'preact/hooks'

/** Does something again and again while the page can be seen, and at once when it can be seen again. */
export function useEvery(pause_ms: number, act: () => void): void {
  const newest = useRef(act)
  newest.current = act
  useEffect(() => {
    const now = () => {
      if (!document.hidden) newest.current()
    }
    const timer = setInterval(now, pause_ms)
    document.addEventListener('visibilitychange', now)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', now)
    }
  }, [pause_ms])
}
