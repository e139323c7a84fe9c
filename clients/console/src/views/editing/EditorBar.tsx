import type { Editing } from '../../app/editing.js'
import { counted } from '../../model/numbers.js'
import { listed } from '../../model/words.js'
import { Button, Name, Notice, Time } from '../../ui/kit.js'
import { called, people } from './Conflicts.js'
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
    <footer class={`${css.bar} row wrap`}>
      {refusal !== null && (
        <div class={css.refusal}>
          <Notice tone="bad">{refusal}</Notice>
        </div>
      )}
      <span class="grow hint" role="status">
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

/** Tells who has changed the record meanwhile, and what becomes of it. */
export function News({ editing }: { readonly editing: Editing }) {
  const news = editing.news.value
  if (!news) return null
  const { conflicts } = editing.merged.value
  const what = listed(news.places.map(called))
  return (
    <Notice tone="note">
      <div class="row wrap between gap-wide">
        <span>
          <Name of={people(news.who)} /> changed this meanwhile: <Name of={what} />.{' '}
          {news.isTaken
            ? 'You see it as it is now.'
            : conflicts.length > 0
              ? `You have changed ${listed(conflicts.map(called))} as well: when you save, you choose.`
              : 'When you save, it is taken over.'}
        </span>
        {!news.isTaken && (
          <Button onClick={() => editing.takeOver()}>{conflicts.length > 0 ? 'Choose now' : 'Take it over now'}</Button>
        )}
      </div>
    </Notice>
  )
}

/** Tells that what was typed before is there again. */
export function Restored({ editing }: { readonly editing: Editing }) {
  const from = editing.restoredFrom.value
  if (from === null) return null
  return (
    <Notice tone="note">
      <div class="row wrap between gap-wide">
        <span>
          You were editing this. What you typed (<Time at={new Date(from).toISOString()} />) is here again, and not
          saved yet.
        </span>
        <Button onClick={() => editing.discard()}>Discard it</Button>
      </div>
    </Notice>
  )
}
