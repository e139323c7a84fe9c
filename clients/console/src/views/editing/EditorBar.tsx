import type { Editing } from '../../app/editing.js'
import { counted } from '../../model/numbers.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import css from './editing.module.css'

interface BarProps {
  readonly editing: Editing
  /** Why the hub did not take it, where that is about no field. */
  readonly refusal: string | null
  readonly cancel: () => void
}

/** Saving and leaving, always in sight; how many fields are changed stands beside. */
export function EditorBar({ editing, refusal, cancel }: BarProps) {
  const count = editing.changed.value.length
  return (
    <footer class={css.bar}>
      {refusal !== null && (
        <div class={css.refusal}>
          <Notice tone="bad">{refusal}</Notice>
        </div>
      )}
      <span class={css.state} role="status">
        {count === 0 ? 'Nothing is changed.' : `${counted(count, 'field')} changed.`}
        {!editing.isKept.value && ' This is too much for the tab to keep: save it before you leave.'}
      </span>
      <Button onClick={cancel}>{count === 0 ? 'Close' : 'Cancel'}</Button>
      <Button
        kind="primary"
        type="submit"
        aria-keyshortcuts="Control+S"
        title="Ctrl+S saves, and stays here"
        disabled={count === 0}
        isBusy={editing.isSaving.value}
      >
        Save
      </Button>
    </footer>
  )
}
