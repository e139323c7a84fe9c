import { useEffect, useRef } from 'preact/hooks'

/** Has every key told that is pressed on the page, as long as the view is there. */
export function useKeys(press: (event: KeyboardEvent) => void): void {
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const tell = (event: KeyboardEvent) => latest.current(event)
    addEventListener('keydown', tell)
    return () => removeEventListener('keydown', tell)
  }, [])
}

/** Whether a key is one that is typed into something, also within an editor. */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath()
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
