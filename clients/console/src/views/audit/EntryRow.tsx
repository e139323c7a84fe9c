import { fieldsChanged } from '../../model/auditChanges.js'
import type { AuditEntry } from '../../model/auditEntry.js'
import { isBookkeeping, operatorText, textOf } from '../../model/auditSentences.js'
import { Icon } from '../../ui/Icon.js'
import { Time } from '../../ui/Time.js'
import { EntryDetails } from './EntryDetails.js'
import css from './EntryRow.module.css'
import { Sentence } from './Sentence.js'

interface EntryRowProps {
  readonly entry: AuditEntry
  readonly isOpen: boolean
  /** It stands below the head of a run. */
  readonly isOfRun: boolean
  readonly toggle: () => void
}

/** An entry in a line or two; its details unfold below. */
export function EntryRow({ entry, isOpen, isOfRun, toggle }: EntryRowProps) {
  const { position, at, type, token, address, operator, changes, erased } = entry
  const fields = /Updated$|Changed$/.test(type) ? fieldsChanged(changes) : []
  const details = `entry-${position}`
  const looks = [css.entry, isBookkeeping(type) && css.quiet, isOpen && css.open, isOfRun && css.within]
  return (
    <div class={looks.filter(Boolean).join(' ')}>
      <div class={css.line}>
        <button
          type="button"
          class={css.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? details : undefined}
          aria-label={`Details: ${textOf(entry)}`}
          onClick={toggle}
        >
          <Icon name="open" size={16} />
        </button>
        <div class={css.words}>
          <Sentence entry={entry} />
          {fields.length > 0 && <span class={css.fields}>{fields.join(', ')}</span>}
          <span class={css.about}>
            <Time at={at} />
            {token && (
              <span>
                token <bdi>{token.name ?? 'that is gone'}</bdi>
              </span>
            )}
            {address && <bdi>{address}</bdi>}
            {operator && <bdi>{operatorText(operator)}</bdi>}
            {erased && <span>what it said is erased</span>}
          </span>
        </div>
      </div>
      {isOpen && (
        <div id={details} class={css.details}>
          <EntryDetails entry={entry} />
        </div>
      )}
    </div>
  )
}
