import { signal } from '@preact/signals'
import { Dialog, Fact, Facts, isTyping, useKeys } from '../ui/kit.js'

/** Whether the list of keys is shown. */
export const areKeysShown = signal(false)

/** What keys do, wherever one is. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['/, Ctrl+K', 'Search, go to what was opened last, and do what is typed: “new”, “move”, “theme”'],
  ['Arrows, Home, End, letters', 'Walk the tree; Enter opens, Space unfolds'],
  ['Alt and arrows', 'Move what is chosen in the tree; Alt, up and down a row of a table'],
  ['F2', 'Rename what is chosen in the tree'],
  ['Ctrl+Space, Shift and arrows', 'Choose several in the tree; Escape gives them up'],
  ['Enter', 'Go to the next row of a table; in a list that is offered, take what is chosen'],
  ['Ctrl+F, Ctrl+] and Ctrl+[', 'In an editor: search, indent and back'],
  ['Ctrl+Z and Ctrl+Y', 'In an editor: undo and redo'],
  ['Ctrl+S', 'Save what is edited'],
  ['Ctrl+Enter', 'Send a comment'],
  ['Escape', 'Close what is open; give up what is dragged'],
  ['?', 'Show this']
]

/** Shows what keys do where somebody types a question mark. */
export function Keys() {
  useKeys((event) => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event)) return
    event.preventDefault()
    areKeysShown.value = true
  })
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
