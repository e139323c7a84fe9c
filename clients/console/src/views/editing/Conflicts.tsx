import { useState } from 'preact/hooks'
import type { Editing } from '../../app/editing.js'
import { isSame, labelOf } from '../../model/forms.js'
import { type Choice, type Conflict, idOf, type Place } from '../../model/merge.js'
import { isMarked } from '../../model/mergeTexts.js'
import { capitalized, listed } from '../../model/words.js'
import { Button, Dialog, Name, Notice } from '../../ui/kit.js'
import { ConflictOf } from './ConflictOf.js'

interface Decided {
  readonly choice: Choice
  /** What it was decided against: where that changes, it is open again. */
  readonly theirs: unknown
}

interface ConflictsProps {
  readonly editing: Editing
  readonly save: (choices: ReadonlyMap<string, Choice>) => unknown
}

/** What both sides have changed, field by field, to choose from; what only one has changed is settled, and said. */
export function Conflicts({ editing, save }: ConflictsProps) {
  const { conflicts, taken } = editing.merged.value
  const [decided, setDecided] = useState<ReadonlyMap<string, Decided>>(new Map())
  const who = people(editing.news.value?.who ?? [])
  const choiceOf = (conflict: Conflict) => {
    const one = decided.get(idOf(conflict))
    return one && isSame(one.theirs, conflict.theirs) ? one.choice : undefined
  }
  const choose = (some: readonly Conflict[], choice: Choice) =>
    setDecided(new Map([...decided, ...some.map((one) => [idOf(one), { choice, theirs: one.theirs }] as const)]))
  const choices = new Map<string, Choice>()
  for (const conflict of conflicts) {
    const choice = choiceOf(conflict)
    if (choice && !(typeof choice === 'object' && isMarked(choice.text))) choices.set(idOf(conflict), choice)
  }
  const failure = editing.failure.value
  const open = conflicts.length - choices.size
  return (
    <Dialog
      isWide
      title="Changed on both sides"
      close={() => {
        editing.isAsked.value = false
      }}
      actions={
        <>
          {conflicts.length > 1 && (
            <>
              <Button kind="quiet" onClick={() => choose(conflicts, 'mine')}>
                All yours
              </Button>
              <Button kind="quiet" onClick={() => choose(conflicts, 'theirs')}>
                All theirs
              </Button>
            </>
          )}
          <Button kind="primary" disabled={open > 0} isBusy={editing.isSaving.value} onClick={() => save(choices)}>
            {open > 0 ? `${open} left to choose` : 'Save'}
          </Button>
        </>
      }
    >
      <p>
        <Name of={who} /> saved changes while you were editing. Choose what is to hold; nothing is saved before that.
      </p>
      {conflicts.map((conflict) => (
        <ConflictOf
          key={idOf(conflict)}
          conflict={conflict}
          who={who}
          choice={choiceOf(conflict)}
          choose={(choice) => choose([conflict], choice)}
        />
      ))}
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      {taken.length > 0 && (
        <p>
          Taken over, since you have not changed it: <bdi>{listed(taken.map(called))}</bdi>.
        </p>
      )}
    </Dialog>
  )
}

/** What a place of a record is called: `URL`, or `Headers “Accept”` for a row. */
export const called = ({ field, key }: Place): string =>
  key === undefined ? labelOf(field) : `${labelOf(field)} “${key}”`

/** Who did something, at the beginning of a sentence. */
export const people = (who: readonly string[]): string => (who.length === 0 ? 'Somebody' : capitalized(listed(who)))
