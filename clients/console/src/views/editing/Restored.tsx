import type { Editing } from '../../app/editing.js'
import { Button } from '../../ui/Button.js'
import { Notice } from '../../ui/Notice.js'
import { Time } from '../../ui/Time.js'
import css from './editing.module.css'

/** Tells that what was typed before is there again. */
export function Restored({ editing }: { readonly editing: Editing }) {
  const from = editing.restoredFrom.value
  if (from === null) return null
  return (
    <Notice tone="note">
      <div class={css.news}>
        <span>
          You were editing this. What you typed (<Time at={new Date(from).toISOString()} />) is here again, and not
          saved yet.
        </span>
        <Button onClick={() => editing.discard()}>Discard it</Button>
      </div>
    </Notice>
  )
}
