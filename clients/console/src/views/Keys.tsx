import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog, Fact, Facts, isTyping } from '../ui/kit.js'

/** Whether the list of keys is shown. */
export const areKeysShown = signal(false)

/** What keys do, wherever one is. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['/ or Ctrl+K', 'Search, go to what was opened last, and do what is typed: “new”, “theme”'],
  ['Arrows, Home, End, letters', 'Walk the tree; Enter opens'],
  ['Alt and arrows', 'Move what is chosen in the tree'],
  ['F2', 'Rename what is chosen in the tree'],
  ['Ctrl+Space, Shift and arrows', 'Choose several in the tree; Escape gives them up'],
  ['Ctrl+S', 'Save what is edited'],
  ['Ctrl+Enter', 'Send a comment'],
  ['Escape', 'Close what is open'],
  ['?', 'Show this']
]

/** Shows what keys do where somebody types a question mark. */
export function Keys() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event)) return
      event.preventDefault()
      areKeysShown.value = true
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  if (!areKeysShown.value) return null
  return (
    <Dialog title="Keys" close={() => (areKeysShown.value = false)}>
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
