import type { ComponentChildren } from 'preact'
import { useId, useMemo } from 'preact/hooks'
import type { Choice, Conflict } from '../../model/merge.js'
import { isMarked, mergeTexts } from '../../model/mergeTexts.js'
import { TextArea } from '../../ui/TextArea.js'
import css from './conflicts.module.css'
import { SideOf } from './SideOf.js'
import { called } from './words.js'

interface ConflictProps {
  readonly conflict: Conflict
  readonly who: string
  readonly choice: Choice | undefined
  readonly choose: (choice: Choice) => void
}

/** One thing that both sides have changed: theirs and yours beside each other, and of texts what becomes of both. */
export function ConflictOf({ conflict, who, choice, choose }: ConflictProps) {
  const { base, mine, theirs } = conflict
  const group = useId()
  const both = useMemo(() => bothOf(conflict), [base, mine, theirs])
  const option = (value: Choice, isChosen: boolean, label: ComponentChildren, shown: ComponentChildren) => (
    <div class={`${css.side} ${isChosen ? css.chosen : ''}`}>
      <label class={css.label}>
        <input type="radio" name={group} checked={isChosen} onChange={() => choose(value)} />
        {label}
      </label>
      {shown}
    </div>
  )
  const isBoth = typeof choice === 'object'
  return (
    <fieldset class={css.conflict}>
      <legend>
        <bdi>{called(conflict)}</bdi>
      </legend>
      <div class={css.sides}>
        {option('mine', choice === 'mine', 'Yours', <SideOf conflict={conflict} side="mine" />)}
        {option(
          'theirs',
          choice === 'theirs',
          <bdi>{`What ${who} saved`}</bdi>,
          <SideOf conflict={conflict} side="theirs" />
        )}
      </div>
      {both !== null &&
        option(
          { text: both },
          isBoth,
          'Both together, as you edit it here',
          isBoth && (
            <TextArea
              label={`${called(conflict)}, of both`}
              isCode
              value={choice.text}
              fault={
                isMarked(choice.text)
                  ? 'Both changed the marked lines: keep what is to hold, and remove the marks.'
                  : undefined
              }
              onInput={({ currentTarget }) => choose({ text: currentTarget.value })}
            />
          )
        )}
    </fieldset>
  )
}

/** A text made of both; null where there is none to edit. */
function bothOf({ key, base, mine, theirs }: Conflict): string | null {
  if (key !== undefined || typeof base !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string')
    return null
  if (![base, mine, theirs].some((text) => text.includes('\n'))) return null
  return mergeTexts(base, mine, theirs)?.text ?? null
}
