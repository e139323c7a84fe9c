import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../ui/Icon.js'
import { Palette } from './Palette.js'
import css from './Search.module.css'

/** The way to everything by its name or its words: `/` or Ctrl+K opens it from anywhere. */
export function Search() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isJump = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)
      if (!isJump && !isSlash) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button type="button" class={css.button} onClick={() => setOpen(true)} aria-keyshortcuts="/ Control+K">
        <Icon name="search" size={16} />
        <span>Search</span>
        <kbd>/</kbd>
      </button>
      {isOpen && <Palette close={() => setOpen(false)} />}
    </>
  )
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
