import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useAct } from '../app/useAct.js'
import { Button } from './Button.js'
import { Dialog } from './Dialog.js'
import { Notice } from './Notice.js'

interface AskFirstProps {
  readonly title: string
  /** What the button that does it says. */
  readonly verb: string
  readonly act: () => Promise<unknown>
  readonly close: () => void
  /** What goes, what stays, and the way back. */
  readonly children: ComponentChildren
}

/** Asks before something is destroyed. What the hub says against it stands where it was asked. */
export function AskFirst({ title, verb, act, close, children }: AskFirstProps) {
  const { isBusy, failure, run } = useAct()
  useEffect(() => keepFocus, [])
  const confirm = async () => {
    if (await run(act)) close()
  }
  return (
    <Dialog
      title={title}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="danger" isBusy={isBusy} onClick={confirm}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
    </Dialog>
  )
}

/** What had the focus before may be what has just gone: then the content has it. */
function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus()
  }, 100)
}
