import { useEffect, useState } from 'preact/hooks'
import { Dialog, Fact, Facts } from '../ui/kit.js'
import { isTyping } from './search/Search.js'

/** What keys do, wherever one is. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['/ or Ctrl+K', 'Search, and go to what was opened last'],
  ['Arrows, Home, End, letters', 'Walk the tree; Enter opens'],
  ['Alt and arrows', 'Move what is chosen in the tree'],
  ['Ctrl+S', 'Save what is edited'],
  ['Ctrl+Enter', 'Send a comment'],
  ['Escape', 'Close what is open'],
  ['?', 'Show this']
]

/** Shows what keys do where somebody types a question mark. */
export function Keys() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  if (!isOpen) return null
  return (
    <Dialog title="Keys" close={() => setOpen(false)}>
      <Facts>
        {KEYS.map(([keys, does]) => (
          <Fact key={keys} name={keys}>
            {does}
          </Fact>
        ))}
      </Facts>
    </Dialog>
  )
}
