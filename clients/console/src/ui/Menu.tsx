import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './basics.js'
import css from './Menu.module.css'

interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly act: () => unknown
  readonly isDanger?: boolean
}

interface MenuProps {
  /** What the button is called. */
  readonly label: string
  /** What is on the button: three dots where nothing is given. */
  readonly face?: ComponentChildren
  /** What stands above the items. */
  readonly about?: ComponentChildren
  readonly items: readonly MenuItem[]
}

/**
 * A button with what else can be done. Arrow keys go through it; Escape closes it, and so does what takes the focus or leads
 * elsewhere.
 */
export function Menu({ label, face, about, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const buttons = () => [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  // Before it is shown: keys that come at once are meant for it.
  useLayoutEffect(() => {
    if (!isOpen) return
    buttons()[0]?.focus()
    const leave = (event: Event) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false)
    }
    const end = () => setOpen(false)
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    addEventListener('hashchange', end)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
      removeEventListener('hashchange', end)
    }
  }, [isOpen])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const all = buttons()
      const at = all.indexOf(document.activeElement as HTMLElement)
      all.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % all.length)?.focus()
    } else return
    if (event.key !== 'Tab') event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and pointer are those of the button and the items in it
    <div
      ref={place}
      class="within still"
      onKeyDown={onKeyDown}
      // Safari would give the focus to what is around a button that is pressed, and the menu would be gone before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      <button
        ref={button}
        type="button"
        class={`${css.face} center soft`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        {face ?? <Icon name="more" />}
      </button>
      {isOpen && (
        <div class={`${css.menu} raised`}>
          {about && <p class={`${css.about} hint`}>{about}</p>}
          <div role="menu" aria-label={label}>
            {items.map(({ label, icon, act, isDanger }) => (
              <button
                key={label}
                type="button"
                role="menuitem"
                class={`${css.item} pick row gap-4 ${isDanger ? 'bad' : ''}`}
                onClick={() => {
                  close()
                  act()
                }}
              >
                {icon && <Icon name={icon} size={16} />}
                {label}
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}
