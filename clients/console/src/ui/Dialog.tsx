import { type ReadonlySignal, useSignal } from '@preact/signals'
import { type ComponentChildren, createContext, type VNode } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keepFocus } from '../app/keepFocus.js'
import { useAct } from '../app/loaded.js'
import { Button, type ButtonProps, type IconName, Name } from './basics.js'
import css from './Dialog.module.css'
import { Notice } from './states.js'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
  /** The buttons below, the one that does it last. */
  readonly actions?: ComponentChildren
  readonly isWide?: boolean | undefined
}

/** A title of more characters may not be shown whole. */
const LONG = 60

/** A question that has to be answered first. Escape and the cross close it, and the focus goes back to where it was. */
export function Dialog({ title, close, children, actions, isWide }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const dialog = place.current
    const before = document.activeElement
    dialog?.showModal()
    // Where something is to be typed, that is what it begins with.
    dialog
      ?.querySelector<HTMLElement>('form input:not([type=checkbox], [type=radio], [type=file]), form textarea')
      ?.focus()
    return () => {
      dialog?.close()
      // By now it has left the page, and the browser has nothing to give the focus back from.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={place}
      class={`${css.dialog} sheet ${isWide ? css.wide : ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header class={`${css.head} row between gap-8`}>
        <h2 id={heading} class="lines-3 large" title={title.length > LONG ? title : undefined}>
          <Name of={title} />
        </h2>
        <Button kind="quiet" icon="close" aria-label="Close" onClick={close} />
      </header>
      <div class={`${css.body} stack scroll gap-8`}>{children}</div>
      {actions && <footer class={`${css.actions} flex wrap gap-4`}>{actions}</footer>}
    </dialog>
  )
}

/** Makes a dialog, given what closes it. */
type Made = (close: () => void) => VNode

const DialogPlace = createContext<((dialog: ReadonlySignal<Made>) => void) | null>(null)

/** The place of the dialogs that buttons in it open: each stays though its button goes, as with a row of a list that others change. */
export function Dialogs({ children }: { readonly children: ComponentChildren }) {
  const [opened, open] = useState<ReadonlySignal<Made> | null>(null)
  // What is done late closes no dialog that was opened since.
  const close = () => open((now) => (now === opened ? null : now))
  return (
    <DialogPlace.Provider value={open}>
      {children}
      {opened?.value(close)}
    </DialogPlace.Provider>
  )
}

interface DialogButtonProps extends Omit<ButtonProps, 'onClick'> {
  /** What it opens. */
  readonly dialog: Made
}

/** A button with the dialog that it opens, which goes with it unless there is a place around it. */
export function DialogButton(props: DialogButtonProps) {
  return useContext(DialogPlace) ? (
    <Opening {...props} />
  ) : (
    <Dialogs>
      <Opening {...props} />
    </Dialogs>
  )
}

function Opening({ dialog, ...button }: DialogButtonProps) {
  const open = useContext(DialogPlace)
  const newest = useSignal(dialog)
  useLayoutEffect(() => {
    newest.value = dialog
  })
  return <Button {...button} onClick={() => open?.(newest)} />
}

interface AskProps {
  readonly title: string
  /** What the button that does it says. */
  readonly verb: string
  readonly icon?: IconName
  /** Whether it destroys something. */
  readonly isDanger?: boolean
  readonly isWide?: boolean
  readonly disabled?: boolean
  /** Does it, and closes the dialog where that is done. */
  readonly act: () => unknown
  readonly close: () => void
  /** What is filled in; of what is destroyed what goes, what stays, and the way back. */
  readonly children: ComponentChildren
}

/** Asks before something is done. What the hub says against it stands where it was asked. */
export function Ask({ title, verb, icon, isDanger, isWide, disabled, act, close, children }: AskProps) {
  const { isBusy, failure, run } = useAct()
  const form = useId()
  useEffect(() => keepFocus, [])
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => act())
  }
  return (
    <Dialog
      {...{ title, close, isWide }}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button {...{ icon, form, isBusy, disabled }} kind={isDanger ? 'danger' : 'primary'} type="submit">
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} class="stack gap-8" onSubmit={submit} noValidate>
        {children}
      </form>
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}
