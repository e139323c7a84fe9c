import { failureOf } from '../app/hub.js'
import { ofSession } from '../app/session.js'
import { withMarks } from '../model/marks.js'
import { Button } from './basics.js'
import css from './toasts.module.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly label: string; readonly act: () => void }
}

const SHOWN_MS = 7000
const MOST = 3
// What was done, and the way back from it, is of who was signed in.
const toasts = ofSession<readonly Toast[]>([])
let last = 0

/** Says in passing what was done, with one way to go on or back from there. */
export function toast(text: string, action?: Toast['action']): void {
  const id = ++last
  toasts.value = [...toasts.value.slice(1 - MOST), { id, text, ...(action && { action }) }]
  setTimeout(() => drop(id), SHOWN_MS)
}

/** Says in passing why something was not done. */
export const tellFailure = (error: unknown): void => toast(failureOf(error).message)

const drop = (id: number) => {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

/** Where they appear. */
export function Toasts() {
  return (
    <div class={`${css.toasts} stack gap-4`} role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <div key={id} class={`${css.toast} raised row between gap-4`}>
          <span class="grow lines-3">{withMarks(text)}</span>
          {action && (
            <Button
              kind="quiet"
              onClick={() => {
                drop(id)
                action.act()
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="quiet" icon="close" aria-label="Dismiss" onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  )
}

const KEPT_MS = 60_000

/** Has the browser save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
