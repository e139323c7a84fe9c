import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './Button.js'
import css from './Dialog.module.css'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
  /** The buttons below, the one that does it last. */
  readonly actions?: ComponentChildren
  readonly isWide?: boolean
}

/** A question that has to be answered first. Escape and the cross close it, and the focus goes back to where it was. */
export function Dialog({ title, close, children, actions, isWide }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const dialog = place.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // By now it has left the page, and the browser has nothing to give the focus back from.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={place}
      class={`${css.dialog} ${isWide ? css.wide : ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header class={css.head}>
        <h2 id={heading}>{title}</h2>
        <Button kind="quiet" icon="close" aria-label="Close" onClick={close} />
      </header>
      <div class={css.body}>{children}</div>
      {actions && <footer class={css.actions}>{actions}</footer>}
    </dialog>
  )
}
